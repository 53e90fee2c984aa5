import { afterAll } from "vitest";
import { runCleanups } from "./cleanup.ts";

// Vitest ignores hooks registered inside other hooks, so this one is registered before each test file.
afterAll(runCleanups);

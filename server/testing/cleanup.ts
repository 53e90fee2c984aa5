import { afterAll } from "vitest";

const cleanups: (() => Promise<void>)[] = [];

// Vitest ignores hooks registered inside other hooks, so this one is registered on import.
afterAll(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** Runs `cleanUp` after the calling test file, in reverse order; may be called in `beforeAll`. */
export const afterFile = (cleanUp: () => Promise<void>): void => {
  cleanups.push(cleanUp);
};

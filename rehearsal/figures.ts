import { readFileSync } from "node:fs";
import type { Report } from "./report.ts";

/** The run whose figures are in docs/scaling.md. */
export const readFigures = (): Report => JSON.parse(readFileSync("rehearsal/figures.json", "utf8")) as Report;

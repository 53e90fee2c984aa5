import { execFileSync } from "node:child_process";

/** In MiB of whole blocks, as `du` counts. */
export const diskUsage = (folder) =>
  Number(execFileSync("du", ["-sm", folder], { encoding: "utf8" }).split("\t")[0]);

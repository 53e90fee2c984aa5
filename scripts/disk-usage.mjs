import { execFileSync } from "node:child_process";

/** @returns MiB of whole blocks, as `du` does */
export const diskUsage = (folder) =>
  Number(execFileSync("du", ["-sm", folder], { encoding: "utf8" }).split("\t")[0]);

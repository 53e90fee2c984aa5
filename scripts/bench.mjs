// `npm run bench`: Blog beside two limits and five peers; with `-- growth`, Blog alone as it fills.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { prepare } from "./prepare.mjs";

await prepare();
if (!existsSync("bench/node_modules/.package-lock.json"))
  run("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund", "--loglevel=error"]);
const file = process.argv.includes("growth") ? "bench/growth.ts" : "bench/main.ts";
run(process.execPath, ["--import", "./bench/node_modules/tsx/dist/loader.mjs", file]);

/** @param {string} command @param {string[]} words */
function run(command, words) {
  const { status } = spawnSync(command, words, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

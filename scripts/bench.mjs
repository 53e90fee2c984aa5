// `npm run bench`: Blog beside two limits and five peers; with `-- growth`, Blog alone as it fills; with `-- mix`,
// under the load of an ordinary crowd.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { prepare } from "./prepare.mjs";

await prepare({ tools: true });
if (!existsSync("bench/node_modules/.package-lock.json"))
  run("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund", "--loglevel=error"]);
const files = { growth: "bench/growth.ts", mix: "bench/mix.ts" };
const file = files[process.argv[2]] ?? "bench/main.ts";
run(process.execPath, ["--import", "./bench/node_modules/tsx/dist/loader.mjs", file]);

/** @param {string} command @param {string[]} words */
function run(command, words) {
  const { status } = spawnSync(command, words, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

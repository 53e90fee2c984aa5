// `npm run bench`: benchmarks Blog beside two baselines and five peers; `-- growth` as the data grows; `-- search`
// its search; `-- mix` with a mixed load.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { prepare } from "./prepare.mjs";

await prepare({ tools: true });
if (!existsSync("bench/node_modules/.package-lock.json"))
  run("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund", "--loglevel=error"]);
const files = { growth: "bench/growth.ts", mix: "bench/mix.ts", search: "bench/search.ts" };
const file = files[process.argv[2]] ?? "bench/main.ts";
run(process.execPath, ["--import", "./bench/node_modules/tsx/dist/loader.mjs", file]);

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// `npm run bench`: benchmarks Blog beside two baselines and five peers; `-- growth` as the data grows; `-- search`
// its search; `-- mix` with a mixed load; `-- hostile` beside hostile clients; `-- uploads` its memory after uploads;
// `-- lists` its whole lists by REST; `-- profile` where its CPU time goes.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { prepare } from "./prepare.mjs";

await prepare({ tools: true });
if (!existsSync("bench/node_modules/.package-lock.json"))
  run("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund", "--loglevel=error"]);
const modes = ["growth", "hostile", "lists", "mix", "profile", "search", "uploads"];
const mode = modes.includes(process.argv[2]) ? process.argv[2] : "main";
run(process.execPath, ["--import", "./bench/node_modules/tsx/dist/loader.mjs", `bench/${mode}.ts`]);

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

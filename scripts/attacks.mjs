// `npm run test:attacks`: every attack of the reviews against a server of its own. ATTACK_REQUESTS=100000 and
// MARKDOWN_HOSTILE=24000 MARKDOWN_SEEDS=24000 MARKDOWN_ALL=1 for the long runs.
import { spawn } from "node:child_process";
import { prepare } from "./prepare.mjs";

await prepare({ tools: true });
const words = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--project",
  "attacks",
  "--project",
  "server",
  "attacks",
  "markdown",
];
const child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] });
child.on("close", (code) => process.exit(code ?? 1));

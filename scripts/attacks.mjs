// `npm run test:attacks`: runs the attack tests. For the long runs set ATTACK_REQUESTS=100000, and
// MARKDOWN_HOSTILE=24000 MARKDOWN_SEEDS=24000 MARKDOWN_ALL=1.
import { spawn } from "node:child_process";
import { prepare } from "./prepare.mjs";

await prepare({ tools: true });
const args = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--project",
  "attacks",
  "--project",
  "server",
  "attacks",
  "markdown",
];
const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
child.on("close", (code) => process.exit(code ?? 1));

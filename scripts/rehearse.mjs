// `npm run rehearse`: runs the blog as a large site would, kills each part in turn, and prints what was lost, what failed and
// what a request costs. It installs nothing and names missing programs.
import { prepare } from "./prepare.mjs";
import { requirePrograms } from "./system-packages.mjs";

requirePrograms("haproxy", "pgbouncer", "varnishd");
await prepare({ tools: true });
const { runnerImport } = await import("vite");
await runnerImport("./rehearsal/main.ts", { configFile: false, logLevel: "error" });

// `npm run test:deploy`: tests Blog behind nginx, Caddy, Varnish and PgBouncer, on Debian's PostgreSQL with a replica, and as a release folder.
// It installs nothing and names missing programs.
import { spawn } from "node:child_process";
import { prepare } from "./prepare.mjs";
import { requirePrograms } from "./system-packages.mjs";

requirePrograms("nginx", "caddy", "pgbouncer", "openssl", "varnishd", "nft");
await prepare({ tools: true });
const began = Date.now();
const args = ["node_modules/vitest/vitest.mjs", "run", "--project", "deploy", ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
child.on("close", (code) => {
  console.log(`test:deploy took ${Math.round((Date.now() - began) / 1000)} s`);
  process.exit(code ?? 1);
});

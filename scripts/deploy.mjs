// `npm run test:deploy`: tests Blog behind nginx, Caddy, Varnish and PgBouncer, on Debian's PostgreSQL with a replica, and as a release folder.
// It installs nothing and names missing programs.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { prepare } from "./prepare.mjs";

const folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/bin"];
const packages = {
  nginx: "nginx-light",
  caddy: "caddy",
  pgbouncer: "pgbouncer",
  openssl: "openssl",
  varnishd: "varnish",
};
const missing = Object.entries(packages)
  .filter(([program]) => !folders.some((folder) => existsSync(join(folder, program))))
  .map(([, name]) => name);
const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
if (!versions.some((version) => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`)))
  missing.push("postgresql");
const libraries = readdirSync("/usr/lib").map((name) => join("/usr/lib", name));
if (!libraries.some((place) => existsSync(join(place, "varnish/vmods/libvmod_xkey.so"))))
  missing.push("varnish-modules");
if (missing.length > 0) {
  console.log(`NOT RUN: missing are ${missing.join(", ")} (apt-get install ${missing.join(" ")})`);
  process.exit(1);
}

await prepare({ tools: true });
const began = Date.now();
const args = ["node_modules/vitest/vitest.mjs", "run", "--project", "deploy", ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
child.on("close", (code) => {
  console.log(`test:deploy took ${Math.round((Date.now() - began) / 1000)} s`);
  process.exit(code ?? 1);
});

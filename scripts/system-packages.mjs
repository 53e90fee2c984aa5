// Names the system programs that a script needs and this machine lacks.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/bin"];

/** The packages of Debian that have the programs. */
const packages = {
  nginx: "nginx-light",
  caddy: "caddy",
  pgbouncer: "pgbouncer",
  openssl: "openssl",
  varnishd: "varnish",
  haproxy: "haproxy",
  nft: "nftables",
};

const hasPostgres = () =>
  existsSync("/usr/lib/postgresql") &&
  readdirSync("/usr/lib/postgresql").some((version) =>
    existsSync(`/usr/lib/postgresql/${version}/bin/initdb`),
  );

const hasXkey = () =>
  readdirSync("/usr/lib").some((name) => existsSync(join("/usr/lib", name, "varnish/vmods/libvmod_xkey.so")));

export const hasProgram = (program) => folders.some((folder) => existsSync(join(folder, program)));

/** Prints NOT RUN and exits with 1 if one of the programs, PostgreSQL or Varnish's module is missing. */
export function requirePrograms(...programs) {
  const missing = programs.filter((program) => !hasProgram(program)).map((program) => packages[program]);
  if (!hasPostgres()) missing.push("postgresql");
  if (!hasXkey()) missing.push("varnish-modules");
  if (missing.length === 0) return;
  console.log(`NOT RUN: missing are ${missing.join(", ")} (apt-get install ${missing.join(" ")})`);
  process.exit(1);
}

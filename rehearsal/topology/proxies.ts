import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startProgram } from "../../deploy/testing/programs.ts";
import { openPart } from "./part.ts";

/** The files of `deploy`, with other ports and the token. */
const read = (path: string, ...replacements: [RegExp, string][]) =>
  replacements.reduce(
    (text, [pattern, by]) => text.replace(pattern, by),
    readFileSync(`deploy/${path}`, "utf8"),
  );

function write(file: string, text: string): string {
  writeFileSync(file, text);
  chmodSync(file, 0o644);
  return file;
}

export const PURGE_TOKEN = "a-token-of-the-rehearsal";

export function openVarnish(folder: string, { port, origin }: { port: number; origin: number }) {
  const file = write(
    join(folder, "blog.vcl"),
    read(
      "varnish/blog.vcl",
      [/\.port = "4000"/, `.port = "${origin}"`],
      [/Bearer replace-this-token/, `Bearer ${PURGE_TOKEN}`],
    ),
  );
  const storage = ["-n", join(folder, "varnish"), "-s", "malloc,128m", "-j", "none"];
  const args = ["-F", "-f", file, "-a", `127.0.0.1:${port}`, ...storage];
  return openPart("Varnish", () => startProgram("varnishd", { args, port }));
}

export function openHaproxy(folder: string, { port, blogs }: { port: number; blogs: number[] }) {
  const text = read(
    "haproxy/haproxy.cfg",
    // The rehearsal runs as any user and without a system log.
    [/^global\n[^]*?(?=^defaults)/m, ""],
    [/^ {4}(?:log global|option httplog)\n/gm, ""],
    [/bind .*/, `bind 127.0.0.1:${port}`],
  );
  const file = write(
    join(folder, "haproxy.cfg"),
    text.replace(/127\.0\.0\.1:400(\d)/g, (_, n: string) => `127.0.0.1:${blogs[Number(n) - 1]}`),
  );
  return openPart("HAProxy", () => startProgram("haproxy", { args: ["-db", "-f", file], port }));
}

export function openPgbouncer(folder: string, { port, primary }: { port: number; primary: number }) {
  const users = write(join(folder, "users.txt"), '"blog" ""\n');
  const file = join(folder, "pgbouncer.ini");
  const configure = (to: number) =>
    write(
      file,
      read(
        "pgbouncer/pgbouncer.ini",
        [/port=5432/g, `port=${to}`],
        [/listen_port = .*/, `listen_port = ${port}`],
        [/auth_type = .*/, "auth_type = trust\nunix_socket_dir ="],
        [/auth_file = .*/, `auth_file = ${users}`],
      ),
    );
  configure(primary);
  const part = openPart("PgBouncer", () => startProgram("pgbouncer", { args: [file], port, asUser: true }));
  const pointTo = (to: number) => {
    configure(to);
    part.signal("SIGHUP");
  };
  const urlOf = (database: string) => `postgresql://blog@127.0.0.1:${port}/${database}`;
  return { ...part, pointTo, pooled: urlOf("blog"), direct: urlOf("blog_direct") };
}

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import type { OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { findFreePort } from "../../server/data/embedded/free-port.ts";
import { whenReady } from "../../server/testing/database-server.ts";

export const HOST = "blog.example.org";

/** PostgreSQL refuses to run as root: as root, use the account of Debian's package. */
const USER = process.getuid?.() === 0 ? idsOf("postgres") : null;

function idsOf(name: string): { uid: number; gid: number } {
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, name]).stdout.toString()));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

export type Program = {
  port: number;
  process: ChildProcess;
  output: () => string;
  stop: () => Promise<void>;
};

export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `blog-deploy-${name}-`));
  if (USER) chownSync(folder, USER.uid, USER.gid);
  return folder;
}

export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** Waits until the port accepts connections. @throws with the program's output if it ends before */
async function whenOpen(child: ChildProcess, port: number, output: () => string): Promise<void> {
  for (let time = 0; time < 200; time++) {
    if (child.exitCode !== null) break;
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, "127.0.0.1", () => done(true)).on("error", () => done(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  child.kill();
  throw new Error(`${child.spawnfile} did not start:\n${output()}`);
}

type Start = { args: string[]; port: number; env?: Record<string, string>; asUser?: boolean; cwd?: string };

export async function startProgram(
  command: string,
  { args, port, env, asUser, cwd = "/" }: Start,
): Promise<Program> {
  const options = { env: { ...process.env, ...env }, ...(asUser ? USER : null), cwd };
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  await whenOpen(child, port, () => output);
  const stop = async () => {
    child.kill("SIGINT");
    // PgBouncer would wait for its clients.
    const timer = setTimeout(() => child.kill("SIGKILL"), 3_000);
    await ended;
    clearTimeout(timer);
  };
  return { port, process: child, output: () => output, stop };
}

/** A program of the newest installed PostgreSQL. */
function findPostgres(program: string): string {
  const versions = readdirSync("/usr/lib/postgresql").sort((a, b) => Number(b) - Number(a));
  const version = versions.find((each) => existsSync(`/usr/lib/postgresql/${each}/bin/initdb`)) ?? "";
  return `/usr/lib/postgresql/${version}/bin/${program}`;
}

/** Runs a command of PostgreSQL, such as initdb, to its end. @throws with its output if it fails */
export function runPostgresCommand(name: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(findPostgres(name), args, { ...USER, cwd: "/" });
  if (status !== 0) throw new Error(`${name}: ${stderr.toString()}`);
}

/** Starts the server of an initialized folder, and waits until it is ready; its socket is beside the folder. */
export async function startPostgresIn(data: string, port: number): Promise<Program> {
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${dirname(data)}`];
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  const program = await startProgram(findPostgres("postgres"), { args, port, asUser: true });
  await whenReady(urlOf(port), 20_000);
  return program;
}

const urlOf = (port: number) => `postgresql://blog@127.0.0.1:${port}/postgres`;

export const INITDB = ["--username=blog", "--auth=trust", "--encoding=UTF8", "--no-sync"];

export async function startPostgres(folder: string): Promise<Program & { url: string }> {
  const data = join(folder, "data");
  runPostgresCommand("initdb", "--pgdata", data, ...INITDB);
  const program = await startPostgresIn(data, await findFreePort());
  return { ...program, url: urlOf(program.port) };
}

/** Starts nginx with the given `http` block. @param folder for its files @param port one that the block listens on */
export function startNginx(folder: string, http: string, port: number): Promise<Program> {
  const file = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join("\n");
  const user = process.getuid?.() === 0 ? "user root;" : "";
  writeFileSync(
    file,
    `${user}\npid ${join(folder, "nginx.pid")};\nerror_log stderr;\nevents {}\nhttp { access_log off;\n${temporary}\n${http}\n}`,
  );
  return startProgram("nginx", { args: ["-c", file, "-p", folder, "-g", "daemon off;"], port });
}

type Pooler = { folder: string; serverUrl: string; mode: "session" | "transaction"; settings: string[] };

/** Starts PgBouncer before all databases of a server. @param folder one that PgBouncer may read */
export async function startPgBouncer({ folder, serverUrl, mode, settings }: Pooler): Promise<Program> {
  const { username, password, port: serverPort } = new URL(serverUrl);
  const port = await findFreePort();
  const write = (name: string, lines: string[]) => {
    const file = join(folder, name);
    writeFileSync(file, `${lines.join("\n")}\n`);
    chmodSync(file, 0o644);
    return file;
  };
  const users = write("users.txt", [`"${username}" "${password}"`]);
  const file = write(`${mode}.ini`, [
    "[databases]",
    `* = host=127.0.0.1 port=${serverPort}`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = trust"],
    `auth_file = ${users}`,
    ...[`pool_mode = ${mode}`, ...settings],
  ]);
  return startProgram("pgbouncer", { args: [file], port, asUser: true });
}

/** Sends a request through the proxy; `from` is another loopback address to send from. */
export function ask(
  port: number,
  path: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: Buffer | string; from?: string } = {},
): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: string }> {
  const { method = "GET", headers, body, from = "127.0.0.1" } = options;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{
          host: "127.0.0.1",
          port,
          path,
          method,
          servername: HOST,
          rejectUnauthorized: false,
          agent: false,
        },
        ...{ localAddress: from, headers: { host: HOST, ...headers } },
      },
      (response) =>
        void text(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        ),
    );
    sent.on("error", reject).end(body);
  });
}

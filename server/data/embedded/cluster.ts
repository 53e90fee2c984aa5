import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WAL_BYTES, WAL_SEGMENT_BYTES } from "../../limits.ts";
import { CHARACTER_TYPES } from "./character-types.ts";
import type { SystemUser } from "./system-user.ts";

export type Cluster = { binaries: string; user: SystemUser | null; folder: string; password: string };

/** Linux resolves /proc/self/cwd without walking the parents, on which the database user may lack permission. */
const dataFolder = (cluster: Cluster) =>
  cluster.user && process.platform === "linux" ? "/proc/self/cwd" : cluster.folder;

export const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Creates the cluster in a temporary folder and renames it, so that an interrupted run leaves no partial cluster. */
export async function initialiseCluster(cluster: Cluster): Promise<void> {
  const temporary = `${cluster.folder}.new`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  if (cluster.user) await chown(temporary, cluster.user.uid, cluster.user.gid);
  await runInitdb({ ...cluster, folder: temporary });
  await rename(temporary, cluster.folder);
}

async function runInitdb(cluster: Cluster): Promise<void> {
  const secret = await writeSecret(cluster);
  try {
    const error =
      (await initdb(cluster, secret.file, CHARACTER_TYPES)) && (await initdb(cluster, secret.file, "C"));
    if (error) throw new Error(`The embedded PostgreSQL could not be set up: ${error}`);
  } finally {
    await rm(secret.folder, { recursive: true, force: true });
  }
}

/** @returns the end of its error messages if it failed: then it leaves an empty folder */
async function initdb(
  cluster: Cluster,
  passwordFile: string,
  characterTypes: string,
): Promise<string | null> {
  const child = spawn(
    join(cluster.binaries, "bin", "initdb"),
    [
      ...[`--pgdata=${dataFolder(cluster)}`, `--pwfile=${passwordFile}`],
      ...["--username=blog", "--auth=scram-sha-256", "--encoding=UTF8"],
      ...[
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        `--lc-ctype=${characterTypes}`,
      ],
    ],
    { ...cluster.user, cwd: cluster.folder, stdio: ["ignore", "ignore", "pipe"], env: childEnv() },
  );
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return code === 0 ? null : stderr.trim().slice(-500) || `initdb ended with ${code}`;
}

async function writeSecret(cluster: Cluster) {
  const folder = await mkdtemp(join(tmpdir(), "blog-initdb-"));
  const file = join(folder, "password");
  await writeFile(file, `${cluster.password}\n`, { mode: 0o600 });
  const { user } = cluster;
  if (user) await Promise.all([folder, file].map((path) => chown(path, user.uid, user.gid)));
  return { folder, file };
}

/**
 * Starts the server in its own process session, so that Ctrl-C does not stop it before the application has drained.
 * @returns its pid, and a promise of the last 600 characters of its log, resolved if it exits
 */
export async function spawnServer(cluster: Cluster, port: number, logFile: string) {
  const log = await open(logFile, "a", 0o600);
  const child = spawn(
    join(cluster.binaries, "bin", "postgres"),
    [
      ...["-D", dataFolder(cluster)],
      ...settings({ listen_addresses: "127.0.0.1", unix_socket_directories: "" }),
      // By default it grows to more than what texts leave of the disk (server/disk-space.ts), and PostgreSQL ends without room for it.
      ...settings({ max_wal_size: `${WAL_BYTES / 1024 / 1024}MB` }),
      // The greatest DATABASE_POOL, and commands beside it.
      ...settings({ max_connections: "250" }),
      ...settings({ timezone: "UTC", log_timezone: "UTC", jit: "off" }),
      // Not the statements that constraints refuse: users could fill the disk with them.
      ...settings({ log_min_messages: "log" }),
    ],
    {
      ...cluster.user,
      cwd: cluster.folder,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      // All users can read a command line, and one could take the port first.
      env: { ...childEnv(), PGPORT: String(port) },
    },
  );
  const logEnd = async () => (await readFile(logFile, "utf8").catch(() => "")).trim().slice(-600);
  const exited = once(child, "exit").then(logEnd);
  child.unref();
  await log.close();
  return { pid: child.pid, exited };
}

/** Bytes by which the write-ahead log may still grow, twice its usual size at most. Old segments are used again, not removed at once. */
export async function walGrowthOf({ folder }: Cluster): Promise<number> {
  const segments = (await readdir(join(folder, "pg_wal"))).filter((name) => /^[0-9A-F]{24}$/.test(name));
  return Math.max(0, 2 * WAL_BYTES - segments.length * WAL_SEGMENT_BYTES);
}

const settings = (values: Record<string, string>) =>
  Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Excludes DATABASE_URL and PG… variables, which would configure the server. */
const childEnv = () => ({ PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], LC_ALL: "C" });

/** Reads lines 1, 4 and 8 of postmaster.pid. @returns null if the file does not exist */
export async function readPidFile(
  folder: string,
): Promise<{ pid: number; port: number; isReady: boolean } | null> {
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => null);
  if (text === null) return null;
  const lines = text.split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]), isReady: lines[7]?.trim() === "ready" };
}

/** The pid may belong to another program or a zombie by now, so on Linux this checks command and working directory. */
export async function isServerOf(folder: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const home = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return command.includes("postgres") && home === (await realpath(folder));
}

export async function waitForExit(folder: string, pid: number, timeoutMs: number): Promise<void> {
  for (const end = Date.now() + timeoutMs; (await isServerOf(folder, pid)) && Date.now() < end;)
    await sleep(25);
}

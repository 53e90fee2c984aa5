import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { query } from "../../testing/database-server.ts";
import { isServerOf, waitForExit } from "./cluster.ts";
import { openEmbeddedPostgres, type EmbeddedPostgres } from "./embedded-postgres.ts";

let initialised: string;
let dataDir: string;
beforeAll(async () => {
  initialised = await mkdtemp(join(tmpdir(), "blog-embedded-"));
  await (await openEmbeddedPostgres(initialised, () => {})).stop();
});
afterAll(() => rm(initialised, { recursive: true, force: true }));
const opened: EmbeddedPostgres[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "blog-embedded-"));
});
afterEach(async () => {
  for (const postgres of opened.splice(0)) await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** For tests of a later start: setting a cluster up takes two seconds. */
const copyCluster = () => void execFileSync("cp", ["-a", `${initialised}/.`, dataDir]);

async function open(folder = dataDir, say: (message: string) => void = () => {}): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres(folder, say);
  opened.push(postgres);
  return postgres;
}

const pidFile = (folder = dataDir) => join(folder, "postgres", "postmaster.pid");
const readPid = async () => Number((await readFile(pidFile(), "utf8")).split("\n")[0]);
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

async function leavePidFile(lines: (string | number)[]): Promise<void> {
  copyCluster();
  const postgres = await open();
  await query(postgres.url, "CREATE TABLE kept AS SELECT 7 AS n");
  await postgres.stop();
  await writeFile(pidFile(), `${lines.join("\n")}\n`);
}

test("a new folder gets its own server and database", async () => {
  const messages: string[] = [];
  const postgres = await open(dataDir, (message) => messages.push(message));
  expect(postgres.adopted).toBe(false);
  expect(messages).toEqual(["setting up PostgreSQL"]);
  expect(new URL(postgres.url)).toMatchObject({ hostname: "127.0.0.1", pathname: "/blog", username: "blog" });
  const [row] = await query(
    postgres.url,
    "SELECT current_database() AS name, current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone",
  );
  expect(row).toEqual({ name: "blog", encoding: "UTF8", zone: "UTC" });
});

test("login needs the password, which only the owner can read", async () => {
  copyCluster();
  const { url } = await open();
  const wrong = Object.assign(new URL(url), { password: "wrong" }).href;
  await expect(query(wrong, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
  expect((await stat(join(dataDir, "postgres.password"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, "postgres"))).mode & 0o077).toBe(0);
});

test("only the owner can read a new folder and its log", async () => {
  const folder = join(dataDir, "new");
  await open(folder);
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect((await stat(join(folder, "postgres.log"))).mode & 0o077).toBe(0);
});

test.runIf(process.platform === "linux")("its command line does not name the port", async () => {
  const { url } = await open();
  const command = await readFile(`/proc/${await readPid()}/cmdline`, "utf8");
  expect(command).toContain("listen_addresses");
  expect(command.split("\0")).not.toContain(new URL(url).port);
});

test("a stopped server keeps its data", async () => {
  copyCluster();
  const first = await open();
  await query(first.url, "CREATE TABLE kept AS SELECT 7 AS n");
  await first.stop();
  expect(await isThere(pidFile())).toBe(false);
  await expect(query(first.url, "SELECT 1")).rejects.toThrow();
  const messages: string[] = [];
  const second = await open(dataDir, (message) => messages.push(message));
  expect([second.adopted, messages]).toEqual([false, []]);
  expect(await query(second.url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
});

const SIMILARITY = "SELECT word_similarity('масква', 'москва') > 0.4 AS similar";

test("misspelt words of any script are found, also in a database of an earlier release", async () => {
  const first = await open();
  await query(first.url, "CREATE EXTENSION pg_trgm");
  expect(await query(first.url, SIMILARITY)).toEqual([{ similar: true }]);
  await query(first.url, "UPDATE pg_database SET datctype = 'C' WHERE datname = 'blog'");
  expect(await query(first.url, SIMILARITY)).toEqual([{ similar: false }]);
  await query(
    first.url,
    `CREATE TABLE "Post" (id int); INSERT INTO "Post" VALUES (7);
     CREATE TABLE "UnindexedPost" ("postId" int PRIMARY KEY); CREATE INDEX "User_name_idx" ON "Post" (id)`,
  );
  await first.stop();
  const second = await open();
  expect(await query(second.url, SIMILARITY)).toEqual([{ similar: true }]);
  expect(await query(second.url, 'TABLE "UnindexedPost"')).toEqual([{ postId: 7 }]);
  expect(await query(second.url, `SELECT to_regclass('"User_name_idx"') AS name`)).toEqual([{ name: null }]);
});

test("R25A: its log stays within what texts leave of the disk", async () => {
  copyCluster();
  const postgres = await open();
  expect(await query(postgres.url, "SHOW max_wal_size")).toEqual([{ max_wal_size: "192MB" }]);
  await postgres.requireDiskSpace();
  await postgres.stop();
});

test("a server that is killed is started again at the same address, with its data", async () => {
  copyCluster();
  const postgres = await open();
  await query(postgres.url, "CREATE TABLE kept AS SELECT 7 AS n");
  const [onRestart, onFailure] = [vi.fn(), vi.fn()];
  postgres.watch({ onRestart, onFailure });
  const killed = await readPid();
  process.kill(killed, "SIGKILL");
  await expect.poll(() => onRestart.mock.calls.length, { timeout: 20_000 }).toBe(1);
  expect(await query(postgres.url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
  const restarted = await readPid();
  expect(restarted).not.toBe(killed);
  await postgres.stop();
  expect(await isServerOf(join(dataDir, "postgres"), restarted)).toBe(false);
  expect([onRestart.mock.calls.length, onFailure.mock.calls.length]).toEqual([1, 0]);
});

test("two processes that use a killed server start one again, and both use it", async () => {
  copyCluster();
  const both = [await open(), await open()];
  const [onRestart, onFailure] = [vi.fn(), vi.fn()];
  for (const { watch } of both) watch({ onRestart, onFailure });
  process.kill(await readPid(), "SIGKILL");
  await expect.poll(() => onRestart.mock.calls.length, { timeout: 20_000 }).toBe(2);
  const pid = await readPid();
  for (const { url } of both) expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await sleep(1_500);
  expect(await readPid()).toBe(pid);
  expect([onRestart.mock.calls.length, onFailure.mock.calls.length]).toEqual([2, 0]);
});

test("a server that cannot be started again is reported once", async () => {
  copyCluster();
  const postgres = await open();
  const [onRestart, onFailure] = [vi.fn(), vi.fn()];
  postgres.watch({ onRestart, onFailure });
  const pid = await readPid();
  await rm(join(dataDir, "postgres", "global", "pg_control"));
  process.kill(pid, "SIGKILL");
  await expect.poll(() => onFailure.mock.calls.length, { timeout: 40_000 }).toBe(1);
  expect(onFailure.mock.calls[0]?.[0]).toMatchObject({ message: expect.stringContaining("does not start") });
  expect(onRestart).not.toHaveBeenCalled();
}, 60_000);

test("adopts a running server and does not stop it while others are connected", async () => {
  copyCluster();
  const left = await open();
  const pid = await readPid();
  const taken = await open();
  expect(taken).toMatchObject({ adopted: true, url: left.url });
  expect(await readPid()).toBe(pid);
  const client = new pg.Client({ connectionString: taken.url });
  await client.connect();
  await left.stop();
  expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await client.end();
  await taken.stop();
  await waitForExit(join(dataDir, "postgres"), pid, 5_000);
  await expect(query(taken.url, "SELECT 1")).rejects.toThrow();
});

test("a running server that refuses connections is reported, and nothing ends it", async () => {
  const left = await open();
  const pid = await readPid();
  await query(left.url, "ALTER DATABASE postgres ALLOW_CONNECTIONS false");
  await expect(open()).rejects.toThrow(
    /\(process \d+\), but accepts no connection \(database "postgres" is not/,
  );
  await left.stop();
  expect(await readPid()).toBe(pid);
  await query(left.url, "ALTER DATABASE postgres ALLOW_CONNECTIONS true");
}, 30_000);

test("the server has connections for the greatest DATABASE_POOL", async () => {
  const [row] = await query((await open()).url, "SELECT current_setting('max_connections')::int AS most");
  expect(row.most).toBeGreaterThan(200);
});

test("committed data survives a kill of the server", async () => {
  copyCluster();
  const first = await open();
  await query(first.url, "CREATE TABLE kept (n int)");
  await query(first.url, "INSERT INTO kept SELECT generate_series(1, 1000)");
  const pid = await readPid();
  process.kill(pid, "SIGKILL");
  await waitForExit(join(dataDir, "postgres"), pid, 5_000);
  expect(await isThere(pidFile())).toBe(true);
  const second = await open();
  expect(second.adopted).toBe(false);
  expect(await query(second.url, "SELECT count(*)::int AS n FROM kept")).toEqual([{ n: 1_000 }]);
});

test("starts despite the pid file of a dead process", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  await leavePidFile([child.pid ?? 0, join(dataDir, "postgres"), 1, 54_321, "", "127.0.0.1"]);
  const { url, adopted } = await open();
  expect(adopted).toBe(false);
  expect(await query(url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
});

test("starts despite a pid file with another program's pid, without killing that program", async () => {
  const other = spawn("sleep", ["60"]);
  await leavePidFile([other.pid ?? 0, join(dataDir, "postgres"), 1, 1, "", "127.0.0.1"]);
  const { url, adopted } = await open();
  expect(adopted).toBe(false);
  expect(await query(url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill();
  await once(other, "exit");
}, 40_000);

test.each([
  ["empty", ""],
  ["nonsense", "nothing\nof\nuse\n"],
])("starts despite a pid file that is %s", async (_name, text) => {
  await leavePidFile([]);
  await writeFile(pidFile(), text);
  const { url } = await open();
  expect(await query(url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
});

test("removes the remains of an interrupted setup", async () => {
  const unfinished = join(dataDir, "postgres.new");
  await mkdir(join(unfinished, "base"), { recursive: true });
  await writeFile(join(unfinished, "PG_VERSION"), "18\n");
  await writeFile(join(unfinished, "base", "half"), "half a file");
  const { url } = await open();
  expect(await isThere(unfinished)).toBe(false);
  expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("works below a folder that only its owner may enter", async () => {
  const closed = join(dataDir, "closed");
  await mkdir(join(closed, "data"), { recursive: true });
  await chmod(closed, 0o700);
  const first = await open(join(closed, "data"));
  await query(first.url, "CREATE TABLE kept AS SELECT 7 AS n");
  await first.stop();
  const second = await open(join(closed, "data"));
  expect(await query(second.url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
});

test("a folder's name may contain spaces and non-ASCII letters", async () => {
  const { url } = await open(join(dataDir, "mein Blög – 数据"));
  expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("two folders get two servers", async () => {
  const [one, two] = await Promise.all([open(join(dataDir, "one")), open(join(dataDir, "two"))]);
  expect(one.url).not.toBe(two.url);
  expect(await query(one.url, "SELECT 1 AS one")).toEqual(await query(two.url, "SELECT 1 AS one"));
});

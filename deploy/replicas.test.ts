import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { findFreePort } from "../server/data/embedded/free-port.ts";
import { query } from "../server/testing/database-server.ts";
import {
  makeFolder,
  removeFolder,
  runPostgresCommand,
  startPostgres,
  startPostgresIn,
} from "./testing/programs.ts";

const folder = makeFolder("replicas");
const admin = { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "correct horse battery", DEMO: "on" };
let primary: Awaited<ReturnType<typeof startPostgres>>;
let replica: Awaited<ReturnType<typeof startReplica>>;
let blogs: RunningBlog[] = [];
let token: string;

beforeAll(async () => {
  primary = await startPostgres(folder);
  // An ordinary role, without the rights of a monitor.
  await run(primary.port, "CREATE ROLE writer LOGIN", "CREATE DATABASE weblog OWNER writer");
  replica = await startReplica();
  const urlAt = (port: number) => `postgresql://writer@127.0.0.1:${port}/weblog`;
  const env = { ...admin, DATABASE_URL: urlAt(primary.port), DATABASE_REPLICA_URLS: urlAt(replica.port) };
  const dataDir = join(folder, "blog");
  blogs = [await startBlog({ dataDir, env }), await startBlog({ dataDir, env })];
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = admin;
  ({ token } = (await call(0, "POST", "/auth/login", { email, password })) as { token: string });
}, 120_000);
afterAll(async () => {
  for (const blog of blogs) await blog.stop();
  await replica.program.stop();
  await primary.stop();
  removeFolder(folder);
});

async function run(port: number, ...statements: string[]): Promise<void> {
  for (const statement of statements) await query(`postgresql://blog@127.0.0.1:${port}/postgres`, statement);
}

async function startReplica() {
  const data = join(folder, "replica");
  const source = `--dbname=postgresql://blog@127.0.0.1:${primary.port}`;
  const args = ["--pgdata", data, source, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
  runPostgresCommand("pg_basebackup", ...args);
  const port = await findFreePort();
  const start = () => startPostgresIn(data, port);
  return { port, start, program: await start() };
}

async function call(blog: number, method: string, path: string, body?: object) {
  const response = await fetch(`${blogs[blog]?.url}/api${path}`, {
    method,
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status, `${method} ${path}`).toBeLessThan(300);
  return (await response.json()) as unknown;
}

/** The value of a line of /metrics. */
async function metric(blog: number, line: string): Promise<number> {
  const text = await (await fetch(`${blogs[blog]?.url}/metrics`)).text();
  const found = text.split("\n").find((each) => each.startsWith(line));
  return Number(found?.split(" ").at(-1));
}

const readsOf = (blog: number, server: string) =>
  metric(blog, `blog_replica_reads_total{server="${server}"}`);
const whenUsed = () =>
  expect
    .poll(() => Promise.all([0, 1].map((n) => metric(n, "blog_replica_used"))), { timeout: 10_000 })
    .toEqual([1, 1]);

/** Writes by one process and reads by the other. @returns the titles that were not found */
async function findStale(rounds: number, name: string): Promise<string[]> {
  const stale: string[] = [];
  for (let n = 0; n < rounds; n++) {
    const title = `${name} ${n}`;
    await call(n % 2, "POST", "/categories", { title });
    for (const reader of [0, 1]) {
      const text = JSON.stringify(await call(reader, "GET", "/categories"));
      if (!text.includes(`"${title}"`)) stale.push(title);
    }
  }
  return stale;
}

test("two processes read on a replica as an ordinary role, and see each other's writes at once", async () => {
  await whenUsed();
  expect(await findStale(20, "Near")).toEqual([]);
  for (const path of ["", "/posts?page=1", "/search?q=craft"])
    expect((await fetch(`${blogs[0]?.url}${path}`)).status).toBe(200);
  expect(await readsOf(0, "replica")).toBeGreaterThan(10);
  expect(await readsOf(0, "repeated")).toBe(0);
  await run(replica.port, "SELECT pg_wal_replay_pause()");
  expect(await findStale(5, "Paused")).toEqual([]);
  await run(replica.port, "SELECT pg_wal_replay_resume()");
});

test("a replica that stops is left out, and used again after its start", async () => {
  await whenUsed();
  const [stale] = await Promise.all([findStale(10, "Stopping"), replica.program.stop()]);
  expect(stale).toEqual([]);
  await expect.poll(() => metric(0, "blog_replica_used"), { timeout: 5_000 }).toBe(0);
  expect(await findStale(3, "Away")).toEqual([]);
  expect(blogs[0]?.output()).toContain("a read replica is not used");
  replica.program = await replica.start();
  await whenUsed();
});

import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { findFreePort } from "../data/embedded/free-port.ts";
import { afterFile } from "../testing/cleanup.ts";
import { query } from "../testing/database-server.ts";
import { openTestDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail.ts";
import { runDoctor } from "./doctor.ts";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let dataDir: string;
let env: Record<string, string>;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "blog-doctor-"));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  dataDir = folder;
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir };
});

const look = async (more: Record<string, string> = {}) =>
  (await runDoctor({ ...env, ...more })).map(({ verdict, message }) => `${verdict}: ${message}`);
const worse = async (more: Record<string, string> = {}) =>
  (await look(more)).filter((line) => !line.startsWith("ok"));

test("a healthy blog has one good line per check", async () => {
  const lines = await look();
  expect(lines.filter((line) => line.startsWith("ok:"))).toEqual(lines);
  for (const word of [
    "Node.js",
    "configuration",
    "media",
    "GB free",
    "PostgreSQL",
    "migrations",
    "clock",
    "search",
    "outbox",
  ])
    expect(lines.join("\n")).toContain(word);
});

test("an invalid variable is a problem, and is named", async () => {
  expect(await worse({ PORT: "http" })).toEqual([expect.stringMatching(/^problem: PORT "http" must be/)]);
});

test("a database without trigrams, or whose LC_CTYPE has no letters beyond ASCII, is a warning", async () => {
  const name = `ctype_${process.pid}`;
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE template0 LC_CTYPE 'C'`);
  afterFile(async () => void (await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  const url = database.url.replace(/[^/]+$/, name);
  const ofSearch = async () => (await worse({ DATABASE_URL: url })).filter((line) => line.includes("search"));
  expect(await ofSearch()).toEqual([expect.stringContaining("create the extension pg_trgm")]);
  await query(url, "CREATE EXTENSION pg_trgm");
  expect(await ofSearch()).toEqual([expect.stringContaining("LC_CTYPE is C")]);
});

test("an unreachable database is a problem, shown without its password", async () => {
  const port = await findFreePort();
  const [line, ...rest] = await worse({ DATABASE_URL: `postgresql://me:secret@127.0.0.1:${port}/blog` });
  expect(line).toMatch(/^problem: The database at 127\.0\.0\.1:\d+\/blog cannot be used \(ECONNREFUSED\)/);
  expect(line).not.toContain("secret");
  expect(rest).toEqual([]);
});

test("pending migrations are a warning, those of a newer release a problem", async () => {
  const { rows } = await database.pool.query("DELETE FROM _prisma_migrations RETURNING *");
  expect(await worse()).toEqual([expect.stringMatching(/^warning: \d+ migrations are missing/)]);
  await database.pool.query(
    "INSERT INTO _prisma_migrations SELECT * FROM json_populate_recordset(NULL::_prisma_migrations, $1)",
    [JSON.stringify([...rows, { ...rows[0], id: "1", migration_name: "20991231000000_hover" }])],
  );
  expect(await worse()).toEqual([expect.stringMatching(/^problem: the database is of a newer release/)]);
  await database.pool.query("DELETE FROM _prisma_migrations WHERE id = '1'");
});

test("the mail server is checked without sending an email", async () => {
  const server = await startMailServer();
  expect(await worse({ MAIL_URL: server.url })).toEqual([]);
  expect(server.delivered).toEqual([]);
  const url = `smtp://me:secret@127.0.0.1:${await findFreePort()}`;
  expect(await worse({ MAIL_URL: url })).toEqual([
    expect.stringMatching(
      /^problem: the mail server at 127\.0\.0\.1:\d+ cannot be used \(\w+\): see MAIL_URL$/,
    ),
  ]);
});

test("a CDN is purged of nothing, to see whether it can be", async () => {
  let status = 200;
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  afterFile(async () => void server.close());
  const CDN_PURGE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/purge`;
  expect(await look({ CDN_PURGE_URL })).toContain("ok: the CDN can be purged");
  status = 403;
  expect(await worse({ CDN_PURGE_URL })).toEqual([
    expect.stringMatching(/^problem: the CDN cannot be purged \(status 403\)/),
  ]);
  expect(bodies.map((body) => JSON.parse(body).tags.length)).toEqual([1, 1]);
});

test("a public address without TRUST_PROXY and without MAIL_URL is a warning each", async () => {
  const lines = await worse({ PUBLIC_URL: "https://blog.example.org" });
  expect(lines).toEqual([
    expect.stringMatching(/^warning: TRUST_PROXY is off/),
    expect.stringMatching(/^warning: MAIL_URL is not set/),
  ]);
});

test("a public address without TLS or rate limits is a warning each", async () => {
  const settings = { TRUST_PROXY: "1", MAIL_URL: "smtp://127.0.0.1:1", RATE_LIMITS: "off" };
  const lines = await worse({ PUBLIC_URL: "http://blog.example.org", ...settings });
  expect(lines.slice(0, 2)).toEqual([
    expect.stringMatching(/^warning: PUBLIC_URL is http/),
    expect.stringMatching(/^warning: RATE_LIMITS is off/),
  ]);
});

test("the doctor creates no folder", async () => {
  const folder = join(dataDir, "not", "yet");
  expect(await worse({ DATA_DIR: folder })).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

test("an unusable folder is a problem", async () => {
  await writeFile(join(dataDir, "media"), "a file in the place of a folder");
  await chmod(join(dataDir, "media"), 0o600);
  expect(await worse()).toEqual([expect.stringMatching(/^problem: .*media cannot be written/)]);
});

test("a stale server.pid is reported, unlike one of a running process", async () => {
  await writeFile(join(dataDir, "server.pid"), `${process.pid}\n`);
  expect((await look()).join("\n")).toContain(`the blog is running (process ${process.pid})`);
  await writeFile(join(dataDir, "server.pid"), "4194303\n");
  expect(await worse()).toEqual([expect.stringContaining("server.pid is stale")]);
});

test("a missing embedded database is not created", async () => {
  expect(await worse({ DATABASE_URL: "" })).toEqual([]);
  expect((await look({ DATABASE_URL: "" })).join("\n")).toContain("not set up yet");
});

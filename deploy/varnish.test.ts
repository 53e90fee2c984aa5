import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBlog, type RunningBlog } from "../e2e/testing/blog.ts";
import { findFreePort } from "../server/data/embedded/free-port.ts";
import { makeFolder, removeFolder, startPostgres, startProgram, type Program } from "./testing/programs.ts";

const folder = makeFolder("varnish");
const TOKEN = "a-token-of-the-test";
const admin = { email: "owner@example.com", password: "correct horse battery" };
const json = { "content-type": "application/json" };

/** Milliseconds after the response to a write: the purge is sent after 100. */
const SOON = 500;

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let database: pg.Client;
let varnish: Program;
/** Varnish requests from the first; writes go to the second, which started before it and purges. */
let blogs: [RunningBlog, RunningBlog];
let site: string;
let authorization: string;
let postId: string;
beforeAll(async () => {
  postgres = await startPostgres(folder);
  const [port, blogPort] = [await findFreePort(), await findFreePort()];
  site = `http://127.0.0.1:${port}`;
  varnish = await startVarnish(port, blogPort);
  const env = {
    ...{ DATABASE_URL: postgres.url, DEMO: "on", ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
    ...{ CDN_MAX_AGE: "600", CDN_PURGE_URL: `${site}/purge`, CDN_PURGE_TOKEN: TOKEN, RATE_LIMITS: "off" },
  };
  const dataDir = join(folder, "blog");
  const writer = await startBlog({ dataDir, env: { ...env, PUBLIC_URL: `http://localhost:${blogPort}` } });
  blogs = [await startBlog({ dataDir, env, port: blogPort }), writer];
  database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  postId = (await database.query('SELECT id FROM "Post" ORDER BY "createdAt" DESC LIMIT 1')).rows[0].id;
  const login = { method: "POST", headers: json, body: JSON.stringify(admin) };
  const { token } = (await (await fetch(`${site}/api/auth/login`, login)).json()) as { token: string };
  authorization = `Bearer ${token}`;
}, 120_000);
afterAll(async () => {
  await database.end();
  for (const blog of blogs) await blog.stop();
  await varnish.stop();
  await postgres.stop();
  removeFolder(folder);
});

/** With the file of this folder; only port and token are replaced. */
function startVarnish(port: number, blogPort: number): Promise<Program> {
  const file = join(folder, "blog.vcl");
  const vcl = readFileSync("deploy/varnish/blog.vcl", "utf8")
    .replace('.port = "4000"', `.port = "${blogPort}"`)
    .replace("Bearer replace-this-token", `Bearer ${TOKEN}`);
  writeFileSync(file, vcl);
  const storage = ["-n", join(folder, "varnish"), "-s", "malloc,64m", "-j", "none"];
  return startProgram("varnishd", { args: ["-F", "-f", file, "-a", `127.0.0.1:${port}`, ...storage], port });
}

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(site + path, { headers });
  return {
    ...{ status: response.status, headers: response.headers, text: await response.text() },
    // The number of the request that stored the response follows that of this one.
    isHit: / /.test(response.headers.get("x-varnish") ?? ""),
  };
}

const query = (text: string) => `/graphql?query=${encodeURIComponent(text)}`;
const paths = () => [
  ...["/", "/posts", `/posts/details/${postId}`, "/feed.xml", `/api/posts/${postId}`],
  query(`{ post(id: "${postId}") { title } }`),
];

/** By the blog that Varnish does not know. */
async function comment(text: string): Promise<void> {
  const response = await fetch(`${blogs[1].url}/api/comments`, {
    method: "POST",
    headers: { ...json, authorization },
    body: JSON.stringify({ postId, text }),
  });
  expect(response.status).toBe(201);
}

test("the blog answers the first of many reads, and a browser has to ask each time", async () => {
  for (const path of paths()) {
    // The purges of both starts are over after their repetition.
    await expect.poll(async () => (await read(path)).isHit, { timeout: 15_000, interval: 100 }).toBe(true);
    const responses = await Promise.all(Array.from({ length: 50 }, () => read(path)));
    expect(responses.filter(({ isHit }) => isHit).length, path).toBeGreaterThanOrEqual(49);
    for (const { status, headers } of responses) {
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("no-cache");
      for (const name of ["surrogate-key", "cache-tag", "xkey"]) expect(headers.has(name)).toBe(false);
    }
    const etag = responses[0]?.headers.get("etag") ?? "";
    expect((await read(path, { "if-none-match": etag })).status).toBe(304);
  }
});

test("responses to accounts, drafts and refusals are not stored", async () => {
  const own = [`/api/posts/${postId}`, query("{ viewer { username } }")];
  for (const path of [...own, ...own]) {
    const { isHit, headers, status } = await read(path, { authorization });
    expect([isHit, status, headers.get("cache-control")]).toEqual([false, 200, "private, no-store"]);
  }
  for (const path of ["/nowhere", "/posts/categories/Nothing/feed.xml", `/preview/${"t".repeat(43)}`]) {
    await read(path);
    expect((await read(path)).isHit, path).toBe(false);
  }
  const anonymous = await read(query("{ viewer { username } }"));
  expect(anonymous.text).not.toContain(admin.email);
});

test("B44-1: no header of a visitor makes another variant of a response of the APIs", async () => {
  const url = paths().at(-1) ?? "";
  const known: Record<string, string>[] = [
    {},
    { accept: "application/json" },
    { accept: "application/graphql-response+json, application/json;q=0.9" },
  ];
  for (const headers of known) {
    const accepted = { "content-type": "application/json", ...headers };
    await expect
      .poll(async () => (await read(url, accepted)).isHit, { timeout: 15_000, interval: 100 })
      .toBe(true);
  }
  const others: Record<string, string>[] = [
    ...[{ accept: "application/json, a/1" }, { accept: "text/html" }, { "x-graphql-cost": "a" }],
    { "content-type": "application/json; a=1" },
  ];
  for (const headers of others)
    for (const path of [url, `/api/posts/${postId}`, `/%61pi/posts/${postId}`])
      for (let count = 0; count < 2; count++) {
        const { isHit, status } = await read(path, headers);
        expect([isHit, status], JSON.stringify(headers)).toEqual([false, 200]);
      }
});

test("B45-1: no Origin makes another variant, which CORS_ORIGINS has responses depend on", async () => {
  const headers = { origin: "https://example.com" };
  for (const path of [...paths(), "/favicon.ico", "/robots.txt"])
    for (let count = 0; count < 2; count++) {
      const { isHit, status } = await read(path, headers);
      expect([isHit, status], path).toEqual([false, 200]);
    }
});

test("files of the build arrive", async () => {
  for (const path of ["/favicon.ico", "/default-photo.png", "/card.png", "/service-worker.js"])
    expect((await read(path)).status, path).toBe(200);
});

test("B51-1: a connection stays open after a HEAD request of a range", async () => {
  const socket = connect({ port: Number(new URL(site).port), host: "127.0.0.1" });
  const head = "HEAD /default-photo.png HTTP/1.1\r\nHost: blog.test\r\n";
  socket.write(`${head}Range: bytes=0-10\r\n\r\n`);
  await sleep(SOON);
  socket.end(`${head}Connection: close\r\n\r\n`);
  expect((await text(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
});

test("only the proxy may name the address of a client", async () => {
  const socket = connect({ port: Number(new URL(site).port), host: "127.0.0.1", localAddress: "127.0.0.2" });
  socket.end("GET /health HTTP/1.1\r\nHost: blog.test\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1.1 403 /);
});

test("nobody purges without the token", async () => {
  const path = `/api/posts/${postId}`;
  await read(path);
  for (const token of ["", "replace-this-token"]) {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${site}/purge`, { method: "POST", headers })).status).toBe(403);
  }
});

test("visitors get what was written soon after the response to the write, and never again what was before", async () => {
  const path = `/api/posts/${postId}`;
  const numberIn = (text: string) =>
    Math.max(-1, ...[...text.matchAll(/Comment (\d+)\./g)].map(([, n]) => Number(n)));
  const reads: { since: number; until: number; number: number; isHit: boolean }[] = [];
  let isOver = false;
  const visitor = async () => {
    while (!isOver) {
      const since = performance.now();
      const { text, isHit } = await read(path);
      reads.push({ since, until: performance.now(), number: numberIn(text), isHit });
      await new Promise((done) => setTimeout(done, 5));
    }
  };
  const visitors = [visitor(), visitor(), visitor()];
  const written: number[] = [];
  for (let n = 0; n < 30; n++) {
    await comment(`Comment ${n}.`);
    written.push(performance.now());
    await new Promise((done) => setTimeout(done, 50 + (n % 5) * 100));
  }
  await new Promise((done) => setTimeout(done, 6_000));
  isOver = true;
  await Promise.all(visitors);

  const outdated = reads.filter(({ since, number }) =>
    written.some((at, n) => number < n && since > at + SOON),
  );
  expect(outdated).toEqual([]);
  const returned = reads.filter(({ since, number }) =>
    reads.some((each) => each.until < since && each.number > number),
  );
  expect(returned).toEqual([]);
  const delays = written.map(
    (at, n) => Math.min(...reads.filter((each) => each.number >= n).map(({ until }) => until)) - at,
  );
  const hits = reads.filter(({ isHit }) => isHit).length;
  console.log(
    `${reads.length} reads, ${hits} of them hits; new content after ${Math.round(Math.max(...delays))} ms at most`,
  );
  expect(hits / reads.length).toBeGreaterThan(0.8);
  expect((await read(`/posts/details/${postId}`)).text).toContain("Comment 29.");
}, 60_000);

test("a write by another program is purged too, in pages, feeds and both APIs", async () => {
  for (const path of paths()) await read(path);
  await database.query('UPDATE "Post" SET title = $1 WHERE id = $2', ["Written by psql", postId]);
  const since = performance.now();
  for (const path of paths()) {
    await expect
      .poll(async () => (await read(path)).text.includes("Written by psql"), { interval: 20 })
      .toBe(true);
    expect(performance.now() - since, path).toBeLessThan(3_000);
  }
});

/** PostgreSQL's process of the connection that holds the lock. */
async function findLeader(): Promise<number | undefined> {
  const { rows } = await database.query(
    "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 4206940004",
  );
  return rows[0]?.pid;
}

test("when the purging process is killed, another one purges everything and goes on", async () => {
  const path = `/api/posts/${postId}`;
  const before = await findLeader();
  expect(before).toBeDefined();
  await read(path);
  blogs[1].process.kill("SIGKILL");
  for (const title of ["Meanwhile", "Afterwards"]) {
    await database.query('UPDATE "Post" SET title = $1 WHERE id = $2', [title, postId]);
    await expect
      .poll(async () => (await read(path)).text.includes(title), { timeout: 5_000, interval: 50 })
      .toBe(true);
  }
  expect([before, undefined]).not.toContain(await findLeader());
});

import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { bulkheadCounts } from "../../queue.ts";
import { query } from "../../testing/database-server.ts";
import { usedMemory } from "../../testing/memory.ts";

// Half of the posts share a timestamp, as imported ones do.

const ROWS = 30_000;
const MB = 1024 * 1024;
let blog: TestApp;
let token: string;
let origin: string;

beforeAll(async () => {
  blog = await startTestApp();
  ({ token } = await blog.signUp({ isAdmin: true }));
  await fill(blog.pool.options.connectionString!);
  await blog.app.listen({ port: 0, host: "127.0.0.1" });
  origin = `http://127.0.0.1:${(blog.app.server.address() as AddressInfo).port}/api`;
}, 240_000);

const fill = (url: string) =>
  query(
    url,
    `
    -- These tests do not search, and indexing the words of so many posts takes a minute.
    ALTER TABLE "Post" DISABLE TRIGGER index_insert;
    CREATE TEMP TABLE one AS SELECT n, gen_random_uuid() AS id,
      now() - greatest(n, ${ROWS / 2}) * interval '1 second' AS at FROM generate_series(1, ${ROWS}) AS n;
    INSERT INTO "User" (id, username, "usernameKey", email, "passwordHash", bio, "createdAt", "updatedAt")
      SELECT id, 'Reader ' || n, 'reader ' || n, n || '@example.org', '', repeat('on', 500), at, at FROM one;
    INSERT INTO "Picture" (id, width, height, widths, placeholder)
      SELECT id, 3, 2, '{3}', 'data:image/webp;base64,' || repeat('A', 300) FROM one;
    INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "createdAt", "updatedAt")
      SELECT id, 'Post ' || n, 'Read ' || repeat('on', 1500), 'Craft', id, id, at, at FROM one;
    INSERT INTO "Like" ("postId", "userId") SELECT id, id FROM one;
    INSERT INTO "Comment" (id, text, "postId", "userId", "createdAt", "updatedAt")
      SELECT id, 'Said ' || n || ' ' || repeat('on', 600), id, id, at, at FROM one;
    ANALYZE`,
  );

/** Megabytes, of server and reader together. */
const usedMegabytes = () => usedMemory() / MB;

const ask = (path: string): Promise<IncomingMessage> =>
  new Promise((answered, failed) => {
    const headers = path === "/posts" ? {} : { authorization: `Bearer ${token}` };
    get(`${origin}${path}`, { headers, agent: false }, answered).on("error", failed);
  });

const busyConnections = () => blog.pool.totalCount - blog.pool.idleCount + blog.pool.waitingCount;

test.each([
  ["/posts", ROWS, `"title":`],
  ["/comments", ROWS, `"text":`],
  ["/users/profile", ROWS + 1, `"isAdmin":`],
])(
  "GET %s streams all rows in constant memory, and starts at once",
  async (path, rows, mark) => {
    const before = usedMegabytes();
    const start = performance.now();
    const response = await ask(path);
    expect(response.statusCode).toBe(200);
    let [bytes, found, highest, firstByte, measured] = [0, 0, 0, 0, 0];
    for await (const chunk of response as AsyncIterable<Buffer>) {
      firstByte ||= performance.now() - start;
      bytes += chunk.length;
      found += chunk.toString("latin1").split(mark).length - 1;
      if (bytes - measured < 10 * MB) continue;
      measured = bytes;
      highest = Math.max(highest, usedMegabytes());
    }
    const total = performance.now() - start;
    // Marks across a chunk's border are not counted.
    expect(found).toBeGreaterThan(rows * 0.97);
    expect(found).toBeLessThanOrEqual(rows);
    expect(bytes).toBeGreaterThan(30 * MB);
    expect(highest - before).toBeLessThan(25);
    expect(firstByte).toBeLessThan(total / 5);
  },
  180_000,
);

test("a paused reader holds no database connection and no memory", async () => {
  const before = usedMegabytes();
  // Two at a time; those that stall while others wait are disconnected after five seconds.
  const responses = await Promise.all(Array.from({ length: 12 }, () => ask("/posts")));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([
    ...Array(4).fill(200),
    ...Array(8).fill(503),
  ]);
  for (const response of responses) response.on("error", () => undefined).pause();
  await vi.waitFor(() => expect(busyConnections()).toBe(0), { timeout: 20_000, interval: 100 });
  await sleep(500);
  expect(busyConnections()).toBe(0);
  expect(usedMegabytes() - before).toBeLessThan(60);
  expect((await blog.rest("GET", "/posts/count")).body).toBe(ROWS);
  for (const response of responses) response.destroy();
  await vi.waitFor(() => expect(bulkheadCounts.streams).toEqual({ running: 0, waiting: 0 }), {
    timeout: 5_000,
  });
}, 60_000);

test("a reader that resumes after a pause misses nothing", async () => {
  const response = await ask("/posts");
  const read: string[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    read.push(chunk.toString());
    if (read.length === 5) await sleep(1_000);
    if (read.length === 100) break;
  }
  const titles = [...read.join("").matchAll(/"title":"Post (\d+)"/g)].map(([, n]) => n);
  const { rows } = await blog.pool.query<{ n: string }>(
    `SELECT substr(title, 6) AS n FROM "Post" ORDER BY "createdAt" DESC, id DESC LIMIT $1`,
    [titles.length],
  );
  expect(titles.length).toBeGreaterThan(1_000);
  expect(titles).toEqual(rows.map((row) => row.n));
}, 60_000);

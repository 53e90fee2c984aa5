import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { migrateJobs } from "../jobs/worker.ts";
import { withAdvisoryLock } from "./advisory-locks.ts";
import { openDatabase, openWorkerPool } from "./client.ts";
import { dumpTables } from "./dump.ts";
import { openInvalidationListener } from "./invalidation-listener.ts";
import { findPoolMode } from "./connections/pooler.ts";
import { Client, REQUIRE_SCRAM } from "./postgres-client.ts";
import { withSchemaEngine } from "./schema-engine.ts";

/** Authentication requests: cleartext, MD5 with a salt, and none (AuthenticationOk, then ReadyForQuery). */
const REQUESTS = {
  cleartext: [82, 0, 0, 0, 8, 0, 0, 0, 3],
  md5: [82, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4],
  none: [82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73],
};

let server: Server;
let request: number[];
let calls: number;
/** The first message of each connection, and the bytes that follow it. */
let [startups, received]: [string[], Buffer[]] = [[], []];

beforeEach(async () => {
  [calls, startups, received, request] = [0, [], [], REQUESTS.cleartext];
  server = createServer((socket) => {
    calls++;
    socket.on("error", () => undefined);
    socket.once("data", (startup: Buffer) => {
      startups.push(startup.toString());
      socket.write(Buffer.from(request));
      socket.on("data", (data) => {
        received.push(data);
        socket.destroy();
      });
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(() => void server.close());

const urlOf = () =>
  `postgresql://blog:secret@127.0.0.1:${(server.address() as AddressInfo).port}/blog?${REQUIRE_SCRAM}`;

test.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])(
  "with require_auth a server that asks for %s gets neither password nor statement",
  async (name) => {
    request = REQUESTS[name];
    const client = new Client({ connectionString: urlOf() });
    client.on("error", () => undefined);
    const result = client.connect().then(() => client.query("SELECT 'a text'"));
    await expect(result).rejects.toThrow("the server does not authenticate by SCRAM");
    await client.end().catch(() => undefined);
    expect([calls, received]).toEqual([1, []]);
  },
);

const uses: Record<string, (url: string) => Promise<unknown>> = {
  "the pool of Prisma": async (url) => {
    const { db, close } = openDatabase(url);
    await db.user.count().catch(() => undefined);
    await close();
  },
  "a pool with observers": async (url) => {
    const { pool, close } = openDatabase(url, { observers: [() => () => undefined] });
    await pool.query("SELECT 1").catch(() => undefined);
    await close();
  },
  "the pipeline": async (url) => {
    const { readPipeline, close } = openDatabase(url);
    await readPipeline.query({ text: "SELECT 1" }).catch(() => undefined);
    await close();
  },
  "the worker": async (url) => {
    const pool = openWorkerPool(url, 1);
    await pool.query("SELECT 1").catch(() => undefined);
    await pool.end();
  },
  "the listener": async (url) => {
    const listener = openInvalidationListener(url);
    await expect.poll(() => calls).toBeGreaterThan(0);
    await expect.poll(() => calls).toBeGreaterThan(1);
    await listener.close();
  },
  "an advisory lock": (url) => withAdvisoryLock(url, "migrations", async () => undefined),
  "the look for a pooler": findPoolMode,
  "the migration of jobs": migrateJobs,
  "a migration": (url) => withSchemaEngine(url, undefined, (engine) => engine.version()),
  "a backup": (url) =>
    dumpTables(
      url,
      "",
      async () => undefined,
      () => undefined,
    ),
};

test.each(Object.entries(uses))("the connection of %s obeys require_auth", async (_name, use) => {
  await use(urlOf()).catch(() => undefined);
  expect(calls).toBeGreaterThan(0);
  expect(received).toEqual([]);
});

test.each(Object.entries(uses))("R43B-2: the connection of %s has UTC", async (_name, use) => {
  await use(urlOf()).catch(() => undefined);
  expect(startups[0]).toContain("TimeZone\0UTC\0");
});

test.each(["the pool of Prisma", "the pipeline", "the worker", "the listener"])(
  "the connection of %s has a name of ours, whatever the URL says",
  async (name) => {
    await uses[name]?.(`${urlOf()}&application_name=another`).catch(() => undefined);
    expect(startups[0]).toMatch(/application_name\0blog/);
    expect(startups.join()).not.toContain("another");
  },
);

test("a connection ends in spite of a server that does not close it", async () => {
  const silent = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined).once("data", () => socket.write(Buffer.from(REQUESTS.none)));
  });
  await once(silent.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const client = new Client(`postgresql://blog@127.0.0.1:${port}/blog`);
  await client.connect();
  await expect(client.end()).resolves.toBeUndefined();
});

import { once } from "node:events";
import { createServer, Socket, type AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";
import { openPipeline } from "./pipeline.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

function open(most: number, options: object = {}) {
  const pipeline = openPipeline({ connectionString: blog.url, ...options }, "SET lc_messages = 'C'", most);
  onTestFinished(() => pipeline.end());
  const query = async (text: string, ...values: unknown[]) =>
    (await pipeline.query({ text: `SELECT ${text} AS value`, values })).rows[0].value as unknown;
  return { pipeline, query };
}

describe("statements on shared connections", () => {
  test("each get their own result within the connection limit", async () => {
    const { pipeline, query } = open(3);
    const pending = Array.from({ length: 300 }, (_, n) => query("$1::int", n));
    expect(pipeline.totalCount).toBe(3);
    expect(pipeline.waitingCount).toBe(297);
    expect(await Promise.all(pending)).toEqual(Array.from({ length: 300 }, (_, n) => n));
    expect([pipeline.idleCount, pipeline.waitingCount]).toEqual([3, 0]);
  });

  test("are prepared once per connection, also if first sent concurrently", async () => {
    const { pipeline } = open(1);
    const query = () => pipeline.query({ name: "one", text: "SELECT 1 AS one" });
    for (const { rows } of await Promise.all(Array.from({ length: 20 }, query)))
      expect(rows).toEqual([{ one: 1 }]);
  });

  test("of one event-loop iteration are sent by one system call", async () => {
    const socket = new Socket();
    const { query } = open(1, { stream: () => socket });
    await query("0");
    const write = vi.spyOn(socket as unknown as { _writev: () => void }, "_writev");
    await Promise.all(Array.from({ length: 20 }, (_, n) => query("$1::int", n)));
    expect(write).toHaveBeenCalledTimes(1);
  });

  test("fail independently", async () => {
    const { query } = open(1);
    const results = await Promise.allSettled([query("1"), query("1 / 0"), query("no_column"), query("4")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  });

  test("go to the connection with the fewest pending statements", async () => {
    const { query } = open(2);
    await Promise.all([query("1"), query("2")]);
    let isOver = false;
    const slow = query("pg_sleep(1)").then(() => (isOver = true));
    for (let n = 0; n < 20; n++) expect(await query("$1::int", n)).toBe(n);
    expect(isOver).toBe(false);
    await slow;
  });
});

test("renewed connections end after their pending statements, and others take their place", async () => {
  const { pipeline, query } = open(2);
  const old = await query("pg_backend_pid()");
  const pending = query("pg_sleep(0.5)");
  expect(pipeline.renew()).toBe(true);
  expect(await query("pg_backend_pid()")).not.toBe(old);
  expect(pipeline.renew()).toBe(false);
  expect(await query(`(SELECT count(*)::int FROM pg_stat_activity WHERE pid = ${old})`)).toBe(1);
  await pending;
  await expect.poll(() => query(`(SELECT count(*)::int FROM pg_stat_activity WHERE pid = ${old})`)).toBe(0);
  expect(pipeline.renew()).toBe(true);
});

describe("a connection", () => {
  test("is opened on demand, and sequential statements use only one", async () => {
    const { pipeline, query } = open(5);
    expect(pipeline.totalCount).toBe(0);
    for (let n = 0; n < 5; n++) await query("1");
    expect(pipeline.totalCount).toBe(1);
  });

  test("that is lost rejects its pending statements and is replaced", async () => {
    const { pipeline, query } = open(1);
    const pid = await query("pg_backend_pid()");
    const underWay = Promise.allSettled([query("pg_sleep(5)"), query("1")]);
    await blog.pool.query("SELECT pg_terminate_backend($1)", [pid]);
    for (const { status } of await underWay) expect(status).toBe("rejected");
    expect(await query("1")).toBe(1);
    expect(pipeline.totalCount).toBe(1);
  });

  test("that cannot be opened rejects each statement until it can", async () => {
    const line = await startTcpProxy(blog.url);
    const { query } = open(2, { connectionString: line.url });
    expect(await query("1")).toBe(1);
    line.refuse();
    await expect(query("1")).rejects.toThrow();
    await expect(Promise.all([query("1"), query("2"), query("3")])).rejects.toThrow();
    line.work();
    await expect.poll(() => query("1").catch(() => null), { timeout: 4_000 }).toBe(1);
  });

  test("that is still being opened rejects its statements when all are closed", async () => {
    const silent = createServer((socket) => socket.on("error", () => undefined));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const sockets: Socket[] = [];
    const stream = () => {
      const socket = new Socket();
      sockets.push(socket);
      return socket;
    };
    const connectionString = `postgresql://blog@127.0.0.1:${port}/blog`;
    const pipeline = openPipeline({ connectionString, connectionTimeoutMillis: 60_000, stream }, null, 2);
    const pending = Promise.allSettled([
      pipeline.query({ text: "SELECT 1" }),
      pipeline.query({ text: "SELECT 2" }),
    ]);
    await setTimeout(50);
    for (const socket of sockets) socket.destroy();
    await pipeline.end();
    for (const { status } of await pending) expect(status).toBe("rejected");
  });

  test("that hangs times out and rejects its pending statements", async () => {
    const { pipeline, query } = open(1, { query_timeout: 300 });
    await query("1");
    const results = await Promise.allSettled([query("pg_sleep(3)"), query("1"), query("2")]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect.poll(() => query("1").catch(() => null)).toBe(1);
    expect(pipeline.totalCount).toBe(1);
  });
});

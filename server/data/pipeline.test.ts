import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
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
  const ask = async (text: string, ...values: unknown[]) =>
    (await pipeline.query({ text: `SELECT ${text} AS said`, values })).rows[0].said as unknown;
  return { pipeline, ask };
}

describe("statements that share connections", () => {
  test("get each its own answer, however many are under way; no more connections than may be", async () => {
    const { pipeline, ask } = open(3);
    const asked = Array.from({ length: 300 }, (_, n) => ask("$1::int", n));
    expect(pipeline.totalCount).toBe(3);
    expect(pipeline.waitingCount).toBe(297);
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 300 }, (_, n) => n));
    expect([pipeline.idleCount, pipeline.waitingCount]).toEqual([3, 0]);
  });

  test("prepare a statement once on each, also when it is first asked many times at once", async () => {
    const { pipeline } = open(1);
    const query = () => pipeline.query({ name: "one", text: "SELECT 1 AS one" });
    for (const { rows } of await Promise.all(Array.from({ length: 20 }, query)))
      expect(rows).toEqual([{ one: 1 }]);
  });

  test("fail for themselves", async () => {
    const { ask } = open(1);
    const answers = await Promise.allSettled([ask("1"), ask("1 / 0"), ask("no_column"), ask("4")]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  });

  test("do not wait behind a slow one while another connection has less to do", async () => {
    const { ask } = open(2);
    await Promise.all([ask("1"), ask("2")]);
    let isOver = false;
    const slow = ask("pg_sleep(1)").then(() => (isOver = true));
    for (let n = 0; n < 20; n++) expect(await ask("$1::int", n)).toBe(n);
    expect(isOver).toBe(false);
    await slow;
  });
});

describe("a connection", () => {
  test("is opened when it is needed, and one suffices for those who come one by one", async () => {
    const { pipeline, ask } = open(5);
    expect(pipeline.totalCount).toBe(0);
    for (let n = 0; n < 5; n++) await ask("1");
    expect(pipeline.totalCount).toBe(1);
  });

  test("that is lost fails what is under way on it, and is replaced", async () => {
    const { pipeline, ask } = open(1);
    const pid = await ask("pg_backend_pid()");
    const underWay = Promise.allSettled([ask("pg_sleep(5)"), ask("1")]);
    await blog.pool.query("SELECT pg_terminate_backend($1)", [pid]);
    for (const { status } of await underWay) expect(status).toBe("rejected");
    expect(await ask("1")).toBe(1);
    expect(pipeline.totalCount).toBe(1);
  });

  test("that cannot be had is told so, at once and each time, until it can", async () => {
    const line = await startTcpProxy(blog.url);
    const { ask } = open(2, { connectionString: line.url });
    expect(await ask("1")).toBe(1);
    line.refuse();
    await expect(ask("1")).rejects.toThrow();
    await expect(Promise.all([ask("1"), ask("2"), ask("3")])).rejects.toThrow();
    line.work();
    await expect.poll(() => ask("1").catch(() => null), { timeout: 4_000 }).toBe(1);
  });

  test("on which nothing comes back is given up, with all that waits on it", async () => {
    const { pipeline, ask } = open(1, { query_timeout: 300 });
    await ask("1");
    const answers = await Promise.allSettled([ask("pg_sleep(3)"), ask("1"), ask("2")]);
    expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect.poll(() => ask("1").catch(() => null)).toBe(1);
    expect(pipeline.totalCount).toBe(1);
  });
});

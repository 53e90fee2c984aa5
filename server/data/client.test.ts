import { expect, inject, test } from "vitest";
import { openDatabase, openWorkerPool } from "./client.ts";
import { afterFile } from "../testing/cleanup.ts";

test("a connection that is lost while it is lent does not end the process", async () => {
  const { adminUrl } = inject("postgres");
  const database = openDatabase(adminUrl);
  const worker = openWorkerPool(adminUrl, 1);
  for (const pool of [database.pool, worker]) {
    const client = await pool.connect();
    // The error of an emitter without a listener is thrown where nobody can catch it.
    expect(client.listenerCount("error")).toBeGreaterThan(0);
    const ended = new Promise<void>((done) => client.once("end", () => done()));
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
    await database.pool.query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
    await ended;
    client.release(true);
  }
  await Promise.all([worker.end(), database.close()]);
});

test("transactions of a process that hangs, and connections that are lost without notice, end in half a minute; no plan is compiled", async () => {
  const { adminUrl } = inject("postgres");
  const url = `${adminUrl}?options=-c%20jit%3Don`;
  const database = openDatabase(url);
  const worker = openWorkerPool(url, 1);
  afterFile(database.close);
  afterFile(() => worker.end());
  const names = ["idle_in_transaction_session_timeout", "tcp_keepalives_idle", "jit"];
  const settings = `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join()}`;
  for (const connections of [database.pool, database.readPipeline, worker])
    expect((await connections.query({ text: settings })).rows).toEqual([
      { idle_in_transaction_session_timeout: "10s", tcp_keepalives_idle: "10", jit: "off" },
    ]);
});

test("the worker's connection ends with a statement without an answer, and the next one gets another", async () => {
  const worker = openWorkerPool(inject("postgres").adminUrl, 1, 300);
  afterFile(() => worker.end());
  const pid = async () => (await worker.query("SELECT pg_backend_pid() AS pid")).rows[0].pid as number;
  const before = await pid();
  await expect(worker.query("SELECT pg_sleep(5)")).rejects.toThrow("Query read timeout");
  expect(await pid()).not.toBe(before);
});

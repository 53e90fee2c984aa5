import { expect, inject, test } from "vitest";
import { openDatabase, openWorkerPool } from "./client.ts";

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

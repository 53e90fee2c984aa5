import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { openPipeline } from "../pipeline.ts";
import { createRunPrepared } from "./run-prepared.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

test("A3: statements of any number of documents keep little memory of PostgreSQL", async () => {
  const pipeline = openPipeline({ connectionString: blog.url }, null, 2);
  onTestFinished(() => pipeline.end());
  const runPrepared = createRunPrepared(pipeline);
  const kept = `SELECT coalesce(sum(length(statement)), 0)::int AS characters FROM pg_prepared_statements`;
  let most = 0;
  for (let n = 0; n < 400; n++) {
    const [row] = await runPrepared<{ length: number }>(
      `SELECT length('${"x".repeat(2_000)}') + ${n} AS length`,
      [],
    );
    expect(row?.length).toBe(2_000 + n);
    const { rows } = await pipeline.query({ text: kept });
    most = Math.max(most, rows[0].characters);
  }
  expect(most).toBeGreaterThan(100_000);
  expect(most).toBeLessThan(260_000);
});

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openLogDestination } from "./log-destination.ts";

async function openFile() {
  const folder = await mkdtemp(join(tmpdir(), "blog-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "deep/er", "blog.log");
  const destination = openLogDestination(file);
  return { destination, read: () => readFileSync(file, "utf8") };
}

test("lines are appended in order, in a folder that is made", async () => {
  const { destination, read } = await openFile();
  const lines = Array.from({ length: 1_000 }, (_, n) => `line ${n}\n`);
  for (const line of lines) destination.write(line);
  await vi.waitFor(() => expect(read()).toBe(lines.join("")), { timeout: 5_000 });
});

test("where nothing can be written, lines are dropped and nothing is thrown", async () => {
  const { destination } = await openFile();
  destination.close();
  for (let n = 0; n < 100; n++) destination.write("lost\n");
  await new Promise((done) => setTimeout(done, 100));
});

test("what waits is bounded, and the number of lost lines is told", async () => {
  const { destination, read } = await openFile();
  const line = `${"x".repeat(1_000_000)}\n`;
  // All in one turn of the loop, in which nothing is written.
  for (let n = 0; n < 30; n++) destination.write(line);
  await vi.waitFor(() => expect(read()).toContain("log lines were lost"), { timeout: 10_000 });
  expect(read().length).toBeLessThan(15_000_000);
});

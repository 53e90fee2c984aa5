import { readFileSync, statSync } from "node:fs";
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
  return { destination, file, read: () => readFileSync(file, "utf8") };
}

test("only the owner can read the file", async () => {
  const { file } = await openFile();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("lines are appended in order, and the folder is created", async () => {
  const { destination, read } = await openFile();
  const lines = Array.from({ length: 1_000 }, (_, n) => `line ${n}\n`);
  for (const line of lines) destination.write(line);
  await vi.waitFor(() => expect(read()).toBe(lines.join("")), { timeout: 5_000 });
});

test("failed writes drop lines and throw nothing", async () => {
  const { destination } = await openFile();
  destination.close();
  for (let n = 0; n < 100; n++) destination.write("lost\n");
  await new Promise((done) => setTimeout(done, 100));
});

test("the buffer is bounded, and the number of lost lines is logged", async () => {
  const { destination, read } = await openFile();
  const line = `${"x".repeat(1_000_000)}\n`;
  // All in one event-loop iteration, before any write completes.
  for (let n = 0; n < 30; n++) destination.write(line);
  await vi.waitFor(() => expect(read()).toContain("log lines were lost"), { timeout: 10_000 });
  expect(read().length).toBeLessThan(15_000_000);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEmbeddedPostgres } from "./embedded-postgres.ts";

test("does not kill another process that reuses a stale pid", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "blog-embedded-"));
  const first = await openEmbeddedPostgres(dataDir, () => {});
  await first.stop();
  await mkdir(join(dataDir, "elsewhere"));
  const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)", "postgres"], { cwd: tmpdir() });
  await writeFile(
    join(dataDir, "postgres", "postmaster.pid"),
    `${other.pid}\n/elsewhere\n1\n1\n\n127.0.0.1\n`,
  );
  const second = await openEmbeddedPostgres(dataDir, () => {});
  await second.stop();
  const exitStatus = other.exitCode ?? other.signalCode;
  if (exitStatus === null) {
    other.kill();
    await once(other, "exit");
  }
  await rm(dataDir, { recursive: true });
  expect(exitStatus).toBeNull();
}, 60_000);

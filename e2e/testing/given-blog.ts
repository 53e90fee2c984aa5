import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, inject } from "vitest";
import { isAlive } from "../../server/data/embedded/cluster.ts";

const lockOf = ({ dataDir }: { dataDir: string }) => join(dataDir, "test-file.pid");

/** Vitest may give one VITEST_POOL_ID to two processes, after an earlier group of tests has ended. */
async function acquireBlog() {
  for (;;) {
    for (const blog of inject("blogs")) if (acquire(lockOf(blog))) return blog;
    await sleep(100);
  }
}

function acquire(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid}`, { flag: "wx" });
    return true;
  } catch {
    if (isAlive(Number(readFileSync(file, "utf8")))) return false;
    rmSync(file, { force: true });
    return acquire(file);
  }
}

/** A running blog that no other test file uses until this one ends. */
export const givenBlog = await acquireBlog();
afterAll(() => rmSync(lockOf(givenBlog)));

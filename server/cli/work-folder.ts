import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "../data/embedded/cluster.ts";

/** Provides a temporary folder in `dataDir`, and removes those of killed processes. */
export async function withWorkFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dataDir)) {
    const [, pid] = /^backup-(\d+)$/.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const folder = join(dataDir, `backup-${process.pid}`);
  const clear = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await clear();
  await mkdir(folder, { mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    await clear();
  }
}

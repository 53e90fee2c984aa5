import { readFile, readlink, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const RENEWAL_MS = 2_000;
const WAIT_MS = 7_000;

const IN_USE =
  "The embedded PostgreSQL of this DATA_DIR runs on another machine or in another container: stop that one, or give all of them one database of their own by DATABASE_URL.";

/**
 * Machines and containers that share a folder do not see each other's processes: a file names the one that uses the
 * cluster, with a time that it renews. @throws Error if another one renews it
 */
export async function claimCluster(dataDir: string, progress: (message: string) => void) {
  const file = join(dataDir, "postgres.machine");
  const machine = await nameMachine();
  const claimed = await read(file);
  if (claimed && !claimed.startsWith(`${machine} `)) {
    progress("waiting, because another machine or container may use the database");
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(500))
      if ((await read(file)) !== claimed) throw new Error(IN_USE);
  }
  // A disk without space must not end what runs.
  const renew = () => writeFile(file, `${machine} ${Date.now()}\n`, { mode: 0o600 }).catch(() => undefined);
  await renew();
  const timer = setInterval(() => void renew(), RENEWAL_MS).unref();
  return {
    stop: () => clearInterval(timer),
    remove: () => rm(file, { force: true }),
  };
}

const read = (file: string) => readFile(file, "utf8").catch(() => null);

/** Differs between machines, their starts, and containers, whose processes have numbers of their own. */
async function nameMachine(): Promise<string> {
  const names = [
    readFile("/proc/sys/kernel/random/boot_id", "utf8").then((id) => id.trim()),
    readlink("/proc/self/ns/pid"),
  ];
  return (await Promise.all(names).catch(() => [hostname()])).join(":");
}

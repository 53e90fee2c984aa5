import { readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const RENEWAL_MS = 2_000;
const WAIT_MS = 10_000;
const LOOK_MS = 500;
/** Longer than between two looks of another start, which has seen the claim by then or has replaced it. */
const CONFIRMATION_MS = 1_500;

const IN_USE =
  "The embedded PostgreSQL of this DATA_DIR runs on another machine or in another container: stop that one, or give all of them one database of their own by DATABASE_URL.";

/**
 * Machines and containers that share a folder do not see each other's processes: a file names the one that uses the
 * cluster, with a time that it renews. @throws Error if another one renews it
 */
export async function claimCluster(dataDir: string, progress: (message: string) => void) {
  const file = join(dataDir, "postgres.machine");
  const part = `${file}.${hostname()}.${process.pid}`;
  const machine = await nameMachine();
  const read = async () => (await ifExists(readFile(file)))?.toString() ?? null;
  const isOurs = (claim: string | null) => claim?.startsWith(`${machine} `) ?? false;
  const create = () => writeFile(file, `${machine} ${Date.now()}\n`, { mode: 0o600, flag: "wx" });
  const replace = async () => {
    await writeFile(part, `${machine} ${Date.now()}\n`, { mode: 0o600 });
    await rename(part, file);
  };

  const isFirst = await create().then(() => true, falseIfExists);
  const found = isFirst ? null : await read();
  if (!isFirst && !isOurs(found)) await replaceLost(found);

  async function replaceLost(lost: string | null): Promise<void> {
    progress("waiting, because another machine or container may use the database");
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(LOOK_MS))
      if ((await read()) !== lost) throw new Error(IN_USE);
    await replace();
    await sleep(CONFIRMATION_MS);
    if (!isOurs(await read())) throw new Error(IN_USE);
  }

  let onLost = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  let renewal: Promise<void> | undefined;
  let isStopped = false;
  const renewLater = () => {
    if (!isStopped) timer = setTimeout(() => (renewal = renew()), RENEWAL_MS).unref();
  };
  const renew = async () => {
    // One operation at a time: the pictures' disk may hang, and must not delay it.
    const claim = await read().catch(() => undefined);
    if (claim && !isOurs(claim)) return onLost();
    // A disk without space, or one that hangs, must not end what runs.
    if (claim !== undefined && !isStopped) await replace().catch(() => undefined);
    renewLater();
  };
  renewLater();
  return {
    /** @param listener called when another machine has taken the cluster, since this one was suspended for a while */
    whenLost: (listener: () => void) => void (onLost = listener),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await renewal;
    },
    remove: async () => {
      if (isOurs(await read())) await rm(file);
    },
  };
}

function falseIfExists(error: NodeJS.ErrnoException): false {
  if (error.code === "EEXIST") return false;
  throw error;
}

const ifExists = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });

/** Differs between machines, their starts, and containers, whose processes have numbers of their own. */
async function nameMachine(): Promise<string> {
  const names = [
    readFile("/proc/sys/kernel/random/boot_id", "utf8").then((id) => id.trim()),
    readlink("/proc/self/ns/pid"),
  ];
  return (await Promise.all(names).catch(() => [hostname()])).join(":");
}

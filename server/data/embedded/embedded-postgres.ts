import { randomBytes } from "node:crypto";
import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { requireDiskSpace } from "../../disk-space.ts";
import { syncToDisk } from "../../disk.ts";
import { Client, REQUIRE_SCRAM, withClient } from "../postgres-client.ts";
import { findBinaries } from "./binaries.ts";
import { moveCharacterTypes } from "./character-types.ts";
import {
  initialiseCluster,
  isAlive,
  isServerOf,
  readPidFile,
  spawnServer,
  waitForExit,
  walGrowthOf,
  type Cluster,
} from "./cluster.ts";
import { findFreePort } from "./free-port.ts";
import { claimCluster } from "./machine-claim.ts";
import { findDatabaseUser } from "./system-user.ts";
import { watchProcess } from "./watch-process.ts";

export type EmbeddedPostgres = {
  url: string;
  /** Whether the server was already running, left behind by an earlier process. */
  adopted: boolean;
  /** @throws INSUFFICIENT_STORAGE if too little of its disk is free to write texts */
  requireDiskSpace: () => Promise<void>;
  /** Starts the server again, at the same address, when its process ends before `stop`. */
  watch: (observer: Observer) => void;
  /** Stops the server unless another process is connected. Close all own connections first. */
  stop: () => Promise<void>;
};

type Observer = { onRestart: () => void; onFailure: (error: Error) => void };

/**
 * Starts a PostgreSQL server with its cluster below `dataDir`. The first call creates the cluster. A server that a
 * killed process left running is adopted, and a stale pid file is removed.
 * @param progress called with a short message before a slow step
 * @throws Error with one sentence for the operator if PostgreSQL cannot run here, or runs on another machine
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  progress: (message: string) => void,
): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const user = await findDatabaseUser();
  const cluster: Cluster = {
    user,
    binaries: await findBinaries(user),
    folder: join(dataDir, "postgres"),
    password: await readPassword(dataDir),
  };
  if (!(await exists(cluster.folder))) {
    progress("setting up PostgreSQL");
    await initialiseCluster(cluster);
  }
  const logFile = join(dataDir, "postgres.log");
  const claim = await claimCluster(dataDir, progress);
  const run = async (): Promise<Running> => {
    const found = (await adopt(cluster)) ?? (await start(cluster, logFile));
    await ensureDatabase(cluster, found.port);
    if (!found.adopted) await moveCharacterTypes(urlOf(cluster, found.port, "blog"));
    return found;
  };
  let running = await run().catch(async (error: unknown) => {
    await claim.stop();
    throw error;
  });
  const { port, adopted } = running;
  const url = urlOf(cluster, port, "blog");
  let endWatch = async () => {};
  return {
    url,
    adopted,
    requireDiskSpace: async () =>
      requireDiskSpace(cluster.folder, "texts", { growth: await walGrowthOf(cluster) }),
    watch: (observer) => {
      const isRunning = () => isServerOf(cluster.folder, running.pid);
      const restart = async () => void (running = await start(cluster, logFile, running));
      endWatch = watchProcess({ isRunning, restart, ...observer });
      claim.whenLost(() => {
        // Without a checkpoint, which would write into the other one's cluster.
        if (isAlive(running.pid)) process.kill(running.pid, "SIGQUIT");
        observer.onFailure(new Error("another machine or container has taken the database of this DATA_DIR"));
      });
    },
    stop: async () => {
      await endWatch();
      await stop(cluster, running);
      await claim.stop();
      if (!(await isServerOf(cluster.folder, running.pid))) await claim.remove();
    },
  };
}

type Running = { pid: number; port: number; adopted: boolean };

/** The server has no certificate, and any user of the machine may take its port while it is stopped. */
const urlOf = (cluster: Cluster, port: number, database: string) =>
  `postgresql://blog:${cluster.password}@127.0.0.1:${port}/${database}?${REQUIRE_SCRAM}`;

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function readPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, "postgres.password");
  const existing = await readFile(file, "utf8").catch(() => null);
  if (existing) return existing.trim();
  const password = randomBytes(24).toString("hex");
  await writeFile(file, `${password}\n`, { mode: 0o600, flush: true });
  await syncToDisk(dataDir);
  return password;
}

/** A server that runs is used or reported, and never ended here: another process may be using it. */
async function adopt(cluster: Cluster): Promise<Running | null> {
  if (!(await readPidFile(cluster.folder))) return null;
  const running = await findRunning(cluster);
  if (!running) await rm(join(cluster.folder, "postmaster.pid"), { force: true });
  return running;
}

async function findRunning(cluster: Cluster): Promise<Running | null> {
  const pidFile = await readPidFile(cluster.folder);
  if (!pidFile) return null;
  const port = await untilLogin(cluster, pidFile.pid);
  return port === null ? null : { pid: pidFile.pid, port, adopted: true };
}

/** @param previous a server that has ended, whose port the next one gets */
async function start(cluster: Cluster, logFile: string, previous?: Running): Promise<Running> {
  // The former log may hold the reason of a crash.
  if (!previous) await rename(logFile, `${logFile}.1`).catch(() => undefined);
  for (let attempt = 1; ; attempt++) {
    // Another process of the blog may have started it meanwhile.
    const running = previous && (await findRunning(cluster));
    if (running) return running;
    const { pid, exited } = await spawnServer(cluster, previous?.port ?? (await findFreePort()), logFile);
    const port = pid ? await untilLogin(cluster, pid) : null;
    if (pid && port !== null) return { pid, port, adopted: false };
    const logEnd = await exited;
    // Retry: another program has taken the port, or child processes of a killed server still hold its shared memory.
    if (attempt === 5)
      throw new Error(`The embedded PostgreSQL does not start. The end of its log:\n${logEnd}`);
    await sleep(attempt * 300);
  }
}

/** Waits until the server has its port and accepts a login. @returns the port; null if the server has ended */
async function untilLogin(cluster: Cluster, pid: number): Promise<number | null> {
  let reason = "it is still starting, or recovering from a crash";
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(40)) {
    if (!(await isServerOf(cluster.folder, pid))) return null;
    const state = await readPidFile(cluster.folder);
    if (state?.pid !== pid || !state.isReady) continue;
    const refusal = await findRefusal(urlOf(cluster, state.port, "postgres"));
    if (!refusal) return state.port;
    reason = refusal.message;
    if (refusal instanceof pg.DatabaseError && !isPassing(refusal)) break;
  }
  throw new Error(
    `The embedded PostgreSQL runs (process ${pid}), but accepts no connection (${reason}): try again later, or end that process if it hangs.`,
  );
}

/** Class 57 of SQLSTATE: the server starts, recovers or stops. */
const isPassing = ({ code }: pg.DatabaseError) => code?.startsWith("57") ?? false;

async function findRefusal(url: string): Promise<Error | null> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  return client
    .connect()
    .then(
      () => null,
      (error: Error) => error,
    )
    .finally(() => client.end().catch(() => undefined));
}

async function ensureDatabase(cluster: Cluster, port: number): Promise<void> {
  await withClient(urlOf(cluster, port, "postgres"), async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'blog'");
    if (rowCount === 0) await client.query("CREATE DATABASE blog");
  });
}

async function stop(cluster: Cluster, { pid, port }: Running): Promise<void> {
  if (!(await isServerOf(cluster.folder, pid)) || (await staysInUse(urlOf(cluster, port, "postgres"))))
    return;
  // SIGINT is PostgreSQL's fast shutdown: it ends sessions and writes a checkpoint.
  process.kill(pid, "SIGINT");
  await waitForExit(cluster.folder, pid, 10_000);
}

/** Own connections that have been closed are listed until their backends have ended. */
async function staysInUse(url: string): Promise<boolean> {
  for (let attempt = 1; await hasOtherClients(url); attempt++) {
    if (attempt === 30) return true;
    await sleep(100);
  }
  return false;
}

const hasOtherClients = (url: string) =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query(
      "SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    return rowCount !== 0;
  }).catch(() => true);

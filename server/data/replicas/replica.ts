import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../../domain/ports.ts";
import { databaseName, type Connections } from "../client.ts";
import { openReplicaConnection, type ReplicaConnection } from "./replica-connection.ts";
import { bytesBetween, START_POSITION, timelineOf, type Position } from "./position.ts";
import type { PrimaryPositions } from "./primary-positions.ts";

/** Milliseconds for which a read waits until a replica has replayed a position. */
export const MAX_WAIT = 200;
/** Beyond this, a replica is left out, although it may have replayed all that this process knows of. */
export const MAX_LAG = 5_000;
const RETRY_DELAY = 500;
const PROBE_INTERVAL = 1_000;
/** Between two polls of a replica for which reads wait. */
const PAUSE = 2;

export type ReplicaLog = { warn: (line: object, message: string) => void };

export type Replica = ReturnType<typeof openReplica>;

type Options = Pick<Connections, "pool" | "readPipeline" | "observers"> & {
  now: () => Date;
  log: ReplicaLog;
};

/** Logs one line for each change. An empty reason means that the replica is used. */
function createReport(replica: string, log: ReplicaLog) {
  let reported: string | null = null;
  return (reason: string): void => {
    const wasUsed = reported === null || reported === "";
    if (reason === reported || (!reason && wasUsed)) return;
    reported = reason;
    if (reason) log.warn({ replica, reason }, "a read replica is not used");
    else log.warn({ replica }, "a read replica is used again");
  };
}

/** Milliseconds that the replica took to reach the primary's position, or has taken so far. */
function createLag() {
  let last = 0;
  let since: number | null = null;
  /** A read waited in vain since the last measurement. */
  let isSlow = false;
  const read = () => (since === null ? last : Math.max(last, performance.now() - since));
  return {
    read,
    begin: () => void (since ??= performance.now()),
    end(): void {
      [last, since] = [since === null ? 0 : performance.now() - since, null];
      if (last < MAX_WAIT) isSlow = false;
    },
    isWorthWaiting: () => !isSlow && read() <= MAX_WAIT,
    recordTimeout: () => void (isSlow = true),
    reset: () => void ([last, since] = [0, null]),
  };
}

/** The connections to a replica, while there are any. */
function holdConnection(onLost: (error: unknown) => void) {
  let connection: ReplicaConnection | null = null;
  function lose(lost: ReplicaConnection, error: unknown): void {
    if (lost !== connection) return;
    connection = null;
    lost.close();
    onLost(error);
  }
  return {
    current: () => connection,
    queries: (): Queries | null => connection?.queries ?? null,
    countPending: () => connection?.countPending() ?? 0,
    hold(opened: ReplicaConnection): void {
      connection = opened;
      void opened.ended.then((error) => lose(opened, error));
    },
    async poll(): Promise<void> {
      const polled = connection;
      await polled?.poll().catch((error: unknown) => lose(polled, error));
    },
    hasReached: (position: Position) =>
      connection !== null &&
      connection.position() >= position &&
      timelineOf(connection.position()) === timelineOf(position),
    close: () => void (connection && lose(connection, null)),
  };
}

/** Watches one replica: once a second it measures how long the replica takes to reach the primary's position. */
export function openReplica(url: string, primary: PrimaryPositions, { log, ...options }: Options) {
  const name = databaseName(url);
  const report = createReport(name, log);
  const lag = createLag();
  let isClosed = false;
  const reportError = (error: unknown) => void (isClosed || report(reasonOf(error)));
  const { current, hold, poll, hasReached, close, queries, countPending } = holdConnection(reportError);
  const isUsed = () => current() !== null && lag.read() <= MAX_LAG;

  async function measure(): Promise<void> {
    const target = await primary.tryFetch();
    // While the primary is away, nothing reads from replicas.
    if (target === null) return poll();
    lag.begin();
    await poll();
    for (let pause = PAUSE; current() && !hasReached(target); pause = Math.min(pause * 2, PROBE_INTERVAL)) {
      if (lag.read() > MAX_LAG) report("it lags behind the primary");
      await wait(pause);
      await poll();
      if (pause === PROBE_INTERVAL && !isOnTimeline(target, await primary.tryFetch())) return;
    }
    if (!current()) return;
    lag.end();
    if (lag.read() <= MAX_LAG) report("");
  }

  async function connect(): Promise<void> {
    const identity = await primary.identify().catch(() => null);
    const opened = identity && (await openReplicaConnection(url, identity, options).catch(reportError));
    if (!opened) return;
    lag.reset();
    hold(opened);
    if (isClosed) close();
    for (; current() === opened; await wait(PROBE_INTERVAL)) await measure();
  }

  async function reach(position: Position, deadline: number): Promise<boolean> {
    while (isUsed() && lag.isWorthWaiting()) {
      await poll();
      if (hasReached(position)) return true;
      if (performance.now() + PAUSE >= deadline) lag.recordTimeout();
      else await wait(PAUSE);
    }
    return false;
  }

  void repeat(connect, () => isClosed);
  return {
    ...{ name, isUsed, queries, countPending },
    hasReached: (position: Position) => isUsed() && hasReached(position),
    /** Waits until the replica has replayed a position. @returns false if that takes too long */
    reach,
    lagSeconds: () => (current() ? lag.read() / 1_000 : NaN),
    lagBytes: () => bytesBetween(current()?.position() ?? START_POSITION, primary.highest()),
    close(): void {
      isClosed = true;
      close();
    },
  };
}

async function repeat(work: () => Promise<void>, isOver: () => boolean): Promise<void> {
  for (; !isOver(); await wait(RETRY_DELAY)) await work();
}

const wait = (milliseconds: number) => sleep(milliseconds, undefined, { ref: false });

/** A failover begins another timeline. */
const isOnTimeline = (position: Position, now: Position | null) =>
  now !== null && timelineOf(now) === timelineOf(position);

export const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
};

import type { Queries } from "../../domain/ports.ts";
import type { Connections, Database } from "../client.ts";
import { createRunPrepared } from "../queries/run-prepared.ts";
import { sessionsWithPosition } from "../queries/sessions.ts";
import { maxPosition, type Position } from "./position.ts";
import { openPrimaryPositions, type NotificationConnection } from "./primary-positions.ts";
import { MAX_WAIT, openReplica, type Replica, type ReplicaLog } from "./replica.ts";
import { routeQueries } from "./routed-queries.ts";
import { inTime } from "../../with-deadline.ts";

/** The queries of a read, for a visitor or for the account whose session was just read. */
export type OpenReadQueries = (isAccount: boolean) => Queries;

export type ReadCounts = Record<"primary" | "replica" | "repeated", number>;

export type Replicas = {
  queries: Queries;
  openReads: OpenReadQueries;
  each: readonly Pick<Replica, "name" | "isUsed" | "lagSeconds" | "lagBytes">[];
  reads: Readonly<ReadCounts>;
  close: () => void;
};

type Options = Pick<Connections, "pool" | "readPipeline" | "observers"> & {
  now: () => Date;
  log: ReplicaLog;
};

/** Sends reads to replicas that have replayed what their request has to see, and to the primary otherwise. */
export function openReplicas(
  urls: readonly string[],
  primary: Pick<Database, "readPipeline" | "prepares"> & {
    queries: Queries;
    changes: NotificationConnection;
  },
  options: Options,
): Replicas {
  const positions = openPrimaryPositions(primary.changes);
  const runPrepared = createRunPrepared(primary.readPipeline, primary.prepares);
  const queries = { ...primary.queries, ...sessionsWithPosition(runPrepared, positions.record) };
  const replicas = urls.map((url) => openReplica(url, positions, options));
  const reads: ReadCounts = { primary: 0, replica: 0, repeated: 0 };

  async function choose(isAccount: boolean): Promise<Replica | null> {
    if (!replicas.some((replica) => replica.isUsed())) return null;
    const deadline = performance.now() + MAX_WAIT;
    const notified = await withinMaxWait(positions.notified);
    if (notified === null) return null;
    const position = isAccount ? maxPosition(notified, positions.recorded()) : notified;
    return (
      leastBusy(replicas.filter((each) => each.hasReached(position))) ?? firstToReach(position, deadline)
    );
  }

  function firstToReach(position: Position, deadline: number): Promise<Replica | null> {
    const waits = replicas.map(async (replica) => {
      if (await replica.reach(position, deadline)) return replica;
      throw new Error("too late");
    });
    return Promise.any(waits).catch(() => null);
  }

  return {
    queries,
    openReads: routeQueries({ primary: queries, choose, count: (target) => void reads[target]++ }),
    each: replicas,
    reads,
    close: () => replicas.forEach((replica) => replica.close()),
  };
}

let next = 0;

function leastBusy(replicas: Replica[]): Replica | null {
  if (replicas.length < 2) return replicas[0] ?? null;
  const first = next++ % replicas.length;
  const rotated = [...replicas.slice(first), ...replicas.slice(0, first)];
  return rotated.reduce((least, each) => (each.countPending() < least.countPending() ? each : least));
}

/** @returns null if the position is unknown, or does not arrive in time */
async function withinMaxWait(read: () => Position | Promise<Position>): Promise<Position | null> {
  try {
    const position = read();
    if (typeof position === "bigint") return position;
    return await inTime(position, MAX_WAIT, "the position does not arrive");
  } catch {
    return null;
  }
}

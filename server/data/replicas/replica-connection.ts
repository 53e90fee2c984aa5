import type { Socket } from "node:net";
import type pg from "pg";
import type { Queries } from "../../domain/ports.ts";
import { openDatabase, type Connections } from "../client.ts";
import { findPoolMode } from "../connections/pooler.ts";
import { ServiceSocket } from "../../outgoing/service-socket.ts";
import { Client } from "../postgres-client.ts";
import { openQueries } from "../queries/queries.ts";
import { toPosition, type Position } from "./position.ts";
import { IDENTITY_SQL } from "./primary-positions.ts";

/** Milliseconds. */
const CONNECT_TIMEOUT = 2_000;
const POLL_TIMEOUT = 1_000;

const openSocket = () => new ServiceSocket();

export class UnusableReplica extends Error {}

/**
 * The position is read before the recovery, so it is that of a standby. `received_tli` is missing without
 * `pg_read_all_stats`; the other timeline is then that of the last restartpoint, up to `checkpoint_timeout` ago.
 */
const POLL = `SELECT coalesce(pg_last_wal_replay_lsn(), '0/0')::text AS lsn, pg_is_in_recovery() AS "isStandby",
  greatest((SELECT received_tli FROM pg_stat_wal_receiver), (SELECT timeline_id FROM pg_control_checkpoint())) AS timeline,
  pg_postmaster_start_time()::text AS started`;

type Row = { lsn: string; isStandby: boolean; timeline: number; started: string };
type Polled = { position: Position; started: string };

/** Reads the position that a replica has replayed. @throws UnusableReplica if the server is none */
async function poll(client: pg.ClientBase): Promise<Polled> {
  const { rows } = await client.query<Row>({ name: "poll", text: POLL });
  const [row] = rows;
  if (!row?.isStandby) throw new UnusableReplica("it is not a standby");
  return { position: toPosition(row.timeline, row.lsn), started: row.started };
}

export type ReplicaConnection = {
  queries: Queries;
  /** The replica has replayed at least this. */
  position: () => Position;
  poll: () => Promise<Position>;
  countPending: () => number;
  ended: Promise<Error>;
  /** Ends all connections at once; their statements fail. */
  close: () => void;
};

type Options = Pick<Connections, "pool" | "readPipeline" | "observers"> & { now: () => Date };

/** Connects to a replica. @param identity that of the primary @throws UnusableReplica, or an error of the connection */
export async function openReplicaConnection(
  url: string,
  identity: string,
  { now, ...options }: Options,
): Promise<ReplicaConnection> {
  const client = await connect(url);
  try {
    const first = await checkReplica(url, client, identity);
    return openStatements(url, client, first, { now, ...options });
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/**
 * Opens one connection for `doctor`, and passes a function to `work` that reads what the replica has replayed.
 * @throws UnusableReplica, or an error of the connection
 */
export async function withReplica<T>(
  url: string,
  identity: string,
  work: (read: () => Promise<Position>) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  try {
    await checkReplica(url, client, identity);
    return await work(async () => (await poll(client)).position);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: POLL_TIMEOUT,
    application_name: "blog replica",
    keepAlive: true,
    stream: openSocket,
  });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function checkReplica(url: string, client: pg.Client, identity: string) {
  const { rows } = await client.query<{ identity: string }>(IDENTITY_SQL);
  if (rows[0]?.identity !== identity) throw new UnusableReplica("it is not a copy of this database");
  const first = await poll(client);
  if (await findPoolMode(url, openSocket)) throw new UnusableReplica("its address leads to a pooler");
  return first;
}

function openStatements(
  url: string,
  client: pg.Client,
  first: Polled,
  { now, ...options }: Options,
): ReplicaConnection {
  let { position } = first;
  let polling: Promise<Position> | null = null;
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = openSocket();
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    return socket;
  };
  /** A server behind the same address that was restarted, or is another one, may have replayed less. */
  const check = async (connection: pg.ClientBase) => {
    const previous = position;
    const found = await poll(connection);
    if (found.started !== first.started || found.position < previous)
      throw new UnusableReplica("the server behind its address has changed");
  };
  const database = openDatabase(url, { ...options, check, stream });
  const { pool, readPipeline } = database;
  return {
    queries: openQueries(database, now),
    position: () => position,
    poll: () =>
      (polling ??= poll(client)
        .then((found) => (position = found.position))
        .finally(() => (polling = null))),
    countPending: () =>
      readPipeline.totalCount -
      readPipeline.idleCount +
      readPipeline.waitingCount +
      pool.totalCount -
      pool.idleCount,
    ended: new Promise((resolve) => {
      client.once("error", resolve).once("end", () => resolve(new Error("the connection has ended")));
    }),
    close() {
      for (const socket of sockets) socket.destroy();
      void client.end().catch(() => undefined);
      void database.close().catch(() => undefined);
    },
  };
}

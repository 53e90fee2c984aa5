import type pg from "pg";
import { Client, connectionOf } from "./postgres-client.ts";

/** Refuses a new connection by an error. */
export type CheckConnection = (client: pg.ClientBase) => Promise<void>;

type Connection = {
  client: pg.Client;
  isCorked: boolean;
  connecting: Promise<void> | null;
  pending: number;
  /** The end of the last statement, for `queryInTurn`. */
  last: Promise<unknown>;
  /** Rejects `connecting`: pg's `connect` never settles when its client is ended before. */
  abort: () => void;
};

/** Like pg.Pool, but without exclusive checkout: each connection runs many statements concurrently. */
export type Pipeline = {
  query: (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  /** Opens new connections for later statements. @returns false while former connections are still ending */
  renew: () => boolean;
  end: () => Promise<void>;
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
};

/**
 * Uses PostgreSQL's pipeline mode: it sends statements without awaiting earlier results, which saves system calls on
 * both sides. A blocked statement delays those behind it, so use it only for reads, which take no locks. With
 * `pipeline: false`, for poolers, the statements of a connection wait for each other here.
 * @param settings SQL that is run first on each connection
 * @param most the maximum number of connections, opened on demand
 */
export function openPipeline(
  options: pg.ClientConfig,
  settings: string | null,
  most: number,
  { ClientType = Client, check }: { ClientType?: typeof Client; check?: CheckConnection | undefined } = {},
): Pipeline {
  const connections = new Set<Connection>();
  const retired = new Set<Connection>();

  const run = options.pipeline === false ? queryInTurn : queryAtOnce;
  const open = () =>
    openConnection(new ClientType({ pipeline: true, ...options }), connections, { settings, check });

  /** An idle connection, a new one if the limit allows, or the one with the fewest pending statements. */
  function choose(): Connection {
    const least = leastBusy(connections);
    return least && (least.pending === 0 || connections.size >= most) ? least : open();
  }

  function endIfIdle(connection: Connection): void {
    if (connection.pending > 0 || !retired.delete(connection)) return;
    connection.client.end().catch(() => undefined);
  }

  return {
    async query(config) {
      const connection = choose();
      connection.pending++;
      try {
        if (connection.connecting) await connection.connecting;
        return await run(connection, config, options.query_timeout);
      } finally {
        connection.pending--;
        endIfIdle(connection);
      }
    },
    renew() {
      if (retired.size > 0) return false;
      const present = [...connections];
      connections.clear();
      for (const connection of present) retired.add(connection);
      present.forEach(endIfIdle);
      return true;
    },
    async end() {
      const all = [...connections, ...retired];
      for (const { abort } of all) abort();
      await Promise.all(all.map(({ client }) => client.end()));
    },
    get totalCount() {
      return connections.size;
    },
    get idleCount() {
      return [...connections].filter(({ pending }) => pending === 0).length;
    },
    get waitingCount() {
      return [...connections].reduce((sum, { pending }) => sum + Math.max(0, pending - 1), 0);
    },
  };
}

function queryAtOnce(connection: Connection, config: pg.QueryConfig): Promise<pg.QueryResult> {
  cork(connection);
  return connection.client.query(config);
}

/** As in pipeline mode, a statement without a result in time ends the connection. */
function queryInTurn(connection: Connection, config: pg.QueryConfig, timeout = 0): Promise<pg.QueryResult> {
  const { client, last } = connection;
  const result = last.then(() => client.query(config));
  connection.last = result.catch(() => undefined);
  const timer = timeout > 0 && setTimeout(() => connectionOf(client).stream.destroy(), timeout);
  return result.finally(() => timer && clearTimeout(timer));
}

/** Sends the statements of one event-loop iteration in one packet: a system call for each is a tenth of a short response's time. */
function cork(connection: Connection): void {
  if (connection.isCorked) return;
  const { stream } = connectionOf(connection.client);
  connection.isCorked = true;
  stream.cork();
  setImmediate(() => {
    connection.isCorked = false;
    stream.uncork();
  });
}

function leastBusy(connections: Iterable<Connection>): Connection | undefined {
  let least: Connection | undefined;
  for (const connection of connections) if (!least || connection.pending < least.pending) least = connection;
  return least;
}

function openConnection(
  client: pg.Client,
  connections: Set<Connection>,
  { settings, check }: { settings: string | null; check: CheckConnection | undefined },
): Connection {
  const remove = () => void connections.delete(connection);
  client.on("error", remove).on("end", remove);
  const prepared = client.connect().then(async () => {
    await check?.(client).catch((error: unknown) => {
      void client.end();
      throw error;
    });
    connection.connecting = null;
    if (settings) connection.last = client.query(settings).catch(() => undefined);
  });
  let abort = () => {};
  const connecting = new Promise<void>((resolve, reject) => {
    abort = () => reject(new Error("the connection has been closed"));
    prepared.then(resolve, reject);
  });
  connecting.catch(remove);
  const connection: Connection = {
    client,
    isCorked: false,
    connecting,
    pending: 0,
    last: Promise.resolve(),
    abort,
  };
  connections.add(connection);
  return connection;
}

import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { Db } from "../domain/ports.ts";
import { PrismaClient } from "../generated/prisma/client.ts";
import { closingClient, observedClient, type ObserveStatement } from "./observed-client.ts";
import type { PoolMode } from "./connections/pooler.ts";
import { openPipeline, type CheckConnection, type Pipeline } from "./pipeline.ts";
import { Client } from "./postgres-client.ts";

export type Database = {
  db: Db;
  /** Whether named prepared statements work: not through a transaction pooler. */
  prepares: boolean;
  pool: pg.Pool;
  readPipeline: Pipeline;
  close: () => Promise<void>;
};

/** PostgreSQL ends transactions of a process that hangs, and connections without an answer, with their locks. To compile a search takes longer than to run it. */
const common = {
  jit: "off",
  ...{ idle_in_transaction_session_timeout: 10_000 },
  ...{ tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 4 },
};

/** Applied with SET: poolers reject connections with unknown startup parameters. */
const settings = {
  ...common,
  /** Milliseconds. Less than `query_timeout`, so that PostgreSQL does not continue an abandoned query. */
  statement_timeout: 4_000,
  /** The data is expected to fit in memory, where random reads cost little more than sequential ones. */
  random_page_cost: 1.1,
};

/** Not for Prisma's pool: a generic plan for its LIMIT parameters would expect a tenth of the table. */
const pipelineSettings = { ...settings, plan_cache_mode: "force_generic_plan" };

/** Host, port and name of a database, without the password. */
export const databaseName = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
};

const setAll = (values: object) =>
  Object.entries(values)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join("; ");

export type Connections = {
  pool?: number;
  readPipeline?: number;
  poolMode?: PoolMode | null;
  observers?: readonly ObserveStatement[];
  check?: CheckConnection;
  stream?: pg.ClientConfig["stream"];
};

export function openDatabase(
  url: string,
  {
    pool: maxPool = 8,
    readPipeline: maxPipeline = 6,
    poolMode = null,
    observers = [],
    check,
    stream,
  }: Connections = {},
): Database {
  const options: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: 4_000,
    // Fails before the client's timeout if the server hangs; pg then closes the connection.
    query_timeout: 4_500,
    application_name: "blog",
    ...(stream && { stream }),
  };
  const ClientType = observers.length > 0 ? observedClient(observers) : Client;
  const keepsSession = poolMode !== "transaction";
  const setOf = (values: object) => (keepsSession ? setAll(values) : null);
  const pool = openPool({ ...options, Client: ClientType, max: maxPool }, setOf(settings), check);
  const pipelineOptions = { ...options, pipeline: poolMode === null };
  const readPipeline = openPipeline(pipelineOptions, setOf(pipelineSettings), maxPipeline, {
    ClientType,
    check,
  });
  const db = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: 4_000, timeout: 15_000 },
  });
  return {
    db,
    prepares: keepsSession,
    pool,
    readPipeline,
    close: async () => {
      await db.$disconnect();
      await Promise.all([pool.end(), readPipeline.end()]);
    },
  };
}

function openPool(options: pg.PoolConfig, set: string | null, check?: CheckConnection): pg.Pool {
  const onConnect = async (client: pg.ClientBase) => {
    if (check) await check(client);
    if (set) await client.query(set);
  };
  return withoutCrashes(new pg.Pool({ ...options, onConnect }));
}

/** Without listeners, a lost connection would crash the process, idle or lent. The next query opens another one. */
function withoutCrashes(pool: pg.Pool): pg.Pool {
  return pool
    .on("error", () => undefined)
    .on("connect", (client) => void client.on("error", () => undefined));
}

/** A separate pool, since the worker holds one connection permanently to listen for jobs. */
export function openWorkerPool(connectionString: string, max: number, timeout = 15_000): pg.Pool {
  const limits = { connectionTimeoutMillis: 10_000, query_timeout: timeout, keepAlive: true };
  const options = {
    connectionString,
    max,
    Client: closingClient,
    application_name: "blog worker",
    ...limits,
  };
  return openPool(options, setAll(common));
}

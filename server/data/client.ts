import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { Db } from "../domain/ports.ts";
import { PrismaClient } from "../generated/prisma/client.ts";
import { openPipeline, type Pipeline } from "./pipeline.ts";

export type Database = {
  db: Db;
  /** Whether statements may be prepared by name. */
  prepares: boolean;
  /** Prisma's connections, and those of the prepared statement that likes. */
  pool: pg.Pool;
  /** For prepared hot reads. */
  readPipeline: Pipeline;
  close: () => Promise<void>;
};

/** Settings are made by statements: poolers turn away a connection that asks for what they do not know. */
const settings = {
  /** Milliseconds. Sooner than we stop waiting, or PostgreSQL would go on with what nobody waits for. */
  statement_timeout: 4_000,
  /** Rows are expected in memory, where an index is as near as a table. */
  random_page_cost: 1.1,
};

/**
 * One plan for each statement, made once; it must not depend on a value then. The pool goes without: one plan for
 * any LIMIT, as Prisma writes it, would read a tenth of a long list.
 */
const hotSettings = { ...settings, plan_cache_mode: "force_generic_plan" };

const setAll = (values: object) =>
  Object.entries(values)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join("; ");

export type Connections = {
  /** Of Prisma's pool, at most. */
  pool?: number;
  /** Of the hot reads, which share theirs. */
  readPipeline?: number;
  /** Whether a pooler lends backends for one transaction: nothing may be left in a session then. */
  sharesBackends?: boolean;
};

/** @param url postgresql://… */
export function openDatabase(
  url: string,
  { pool: most = 8, readPipeline: mostHot = 6, sharesBackends = false }: Connections = {},
): Database {
  const options: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: 4_000,
    // A server that hangs is given up before a caller gives us up; pg cuts the connection then.
    query_timeout: 4_500,
    application_name: "blog",
  };
  const pool = openPool({ ...options, max: most }, sharesBackends ? null : setAll(settings));
  const readPipeline = openPipeline(options, sharesBackends ? null : setAll(hotSettings), mostHot);
  const db = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: 4_000, timeout: 15_000 },
  });
  return {
    db,
    prepares: !sharesBackends,
    pool,
    readPipeline,
    close: async () => {
      await db.$disconnect();
      await Promise.all([pool.end(), readPipeline.end()]);
    },
  };
}

function openPool(options: pg.PoolConfig, set: string | null): pg.Pool {
  const onConnect = async (client: pg.ClientBase) => void (set && (await client.query(set)));
  const pool = new pg.Pool({ ...options, onConnect });
  // An idle connection that the server drops must not end the process; the next query opens another.
  pool.on("error", () => undefined);
  return pool;
}

/** The worker's connections, apart from those of requests: listening for jobs holds one for good. */
export function openWorkerPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, application_name: "blog worker" });
  pool.on("error", () => undefined);
  return pool;
}

import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../generated/prisma/client.ts";
import { openPipeline, type Pipeline } from "./pipeline.ts";

export type Db = PrismaClient;

export type Database = {
  db: Db;
  /** Prisma's connections, and those of the prepared statement that likes. */
  pool: pg.Pool;
  /** For prepared hot reads. */
  hot: Pipeline;
  close: () => Promise<void>;
};

/**
 * Rows are expected in memory, where an index is as near as a table. Set by a statement, not at the door:
 * poolers turn away what they do not know.
 */
const preferIndexes = "SET random_page_cost = 1.1";

/**
 * One plan for each statement, made once; it must not depend on a value then. The pool goes without: one plan for
 * any LIMIT, as Prisma writes it, would read a tenth of a long list.
 */
const planOnce = "SET plan_cache_mode = force_generic_plan";

/** Reads share their connections. */
const HOT_CONNECTIONS = 6;

/**
 * @param url postgresql://…
 * @param connections of the pool, at most
 */
export function openDatabase(url: string, connections = 12): Database {
  const options: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: 4_000,
    // A server that hangs is given up before a caller gives us up; pg cuts the connection then.
    query_timeout: 4_500,
    // Sooner than that, or PostgreSQL would go on with what nobody waits for.
    statement_timeout: 4_000,
    application_name: "blog",
  };
  const pool = openPool({ ...options, max: connections });
  const hot = openPipeline(options, `${preferIndexes}; ${planOnce}`, HOT_CONNECTIONS);
  const db = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: 4_000, timeout: 15_000 },
  });
  return {
    db,
    pool,
    hot,
    close: async () => {
      await db.$disconnect();
      await Promise.all([pool.end(), hot.end()]);
    },
  };
}

function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    onConnect: async (client) => void (await client.query(preferIndexes).catch(() => undefined)),
  });
  // An idle connection that the server drops must not end the process; the next query opens another.
  pool.on("error", () => undefined);
  return pool;
}

import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../generated/prisma/client.ts";

export type Db = PrismaClient;

export type Database = { db: Db; pool: pg.Pool; close: () => Promise<void> };

/**
 * Rows are expected in memory, where an index is as near as a table. Set by a statement, not at the door:
 * poolers turn away what they do not know. Plans stay PostgreSQL's to choose: one for any LIMIT, as Prisma
 * writes it, would read a tenth of a long list.
 */
const preferIndexes = async (client: pg.ClientBase) =>
  void (await client.query("SET random_page_cost = 1.1").catch(() => undefined));

/**
 * One pool of connections, shared by Prisma and by statements of our own.
 * @param url postgresql://…
 * @param connections at most so many at a time
 */
export function openDatabase(url: string, connections = 16): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 4_000,
    // A server that hangs is given up before a caller gives us up; pg cuts the connection then.
    query_timeout: 4_500,
    statement_timeout: 15_000,
    application_name: "blog",
    onConnect: preferIndexes,
  });
  // An idle connection that the server drops must not end the process; the next query opens another.
  pool.on("error", () => undefined);
  const db = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: 4_000, timeout: 15_000 },
  });
  return {
    db,
    pool,
    close: async () => {
      await db.$disconnect();
      await pool.end();
    },
  };
}

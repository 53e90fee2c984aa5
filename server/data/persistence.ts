import type { RequestServices, Services } from "../domain/context.ts";
import type { Database } from "./client.ts";
import { fairClients } from "./connections/fair-client.ts";
import { locks } from "./locks.ts";
import { openQueries } from "./queries/queries.ts";
import { openLikes } from "./writes/likes.ts";
import { openWrites } from "./writes/writes.ts";

/** @param now the clock of the queries that depend on time */
export const openPersistence = (
  database: Database,
  now: Services["now"],
): Pick<RequestServices, "db" | "dbOf" | "unqueuedDb" | "queries" | "likes" | "locks" | "writes"> => ({
  db: database.db,
  unqueuedDb: database.db,
  dbOf: fairClients(database.db, database.pool.options.max),
  queries: openQueries(database, now),
  likes: openLikes(database.pool, database.prepares),
  locks,
  writes: openWrites(database.db),
});

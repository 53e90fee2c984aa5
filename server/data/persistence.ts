import type { Services } from "../domain/context.ts";
import type { Database } from "./client.ts";
import { locks } from "./locks.ts";
import { openQueries } from "./queries/queries.ts";
import { openLikes } from "./writes/likes.ts";
import { openWrites } from "./writes/writes.ts";

export const openPersistence = ({
  db,
  pool,
  readPipeline,
  prepares,
}: Database): Pick<Services, "db" | "queries" | "likes" | "locks" | "writes"> => ({
  db,
  queries: openQueries(db, readPipeline, prepares),
  likes: openLikes(pool, prepares),
  locks,
  writes: openWrites(db),
});

import type { Queries } from "../../domain/ports.ts";
import type { Database } from "../client.ts";
import { accountQueries } from "./accounts.ts";
import { bookmarkQueries } from "./bookmarks.ts";
import { categoryQueries } from "./categories.ts";
import { commentQueries } from "./comments.ts";
import { computedQueries } from "./computed-fields.ts";
import { draftQueries } from "./drafts.ts";
import { followQueries } from "./follows.ts";
import { likeQueries } from "./likes.ts";
import { listQueries } from "./lists.ts";
import { maintenanceQueries } from "./maintenance.ts";
import { nodeQueries } from "./nodes.ts";
import { postQueries } from "./posts.ts";
import { textQueries } from "./post-texts.ts";
import { profileQueries } from "./profiles.ts";
import { relatedQueries } from "./related-posts.ts";
import { revisionQueries } from "./revisions.ts";
import { createRunPrepared, type PreparedOn } from "./run-prepared.ts";
import { searchQueries } from "./searching/search.ts";
import { sessionQueries } from "./sessions.ts";
import { tagQueries } from "./tags.ts";
import { syncQueries } from "./sync.ts";

type QuerySource = Pick<Database, "db" | "prepares"> & Record<"pool" | "readPipeline", PreparedOn>;

export function openQueries(
  { db, pool, readPipeline, prepares }: QuerySource,
  now = () => new Date(),
): Queries {
  const runPrepared = createRunPrepared(readPipeline, prepares);
  return {
    ...postQueries(runPrepared),
    ...textQueries(runPrepared),
    ...profileQueries(runPrepared),
    ...categoryQueries(runPrepared),
    ...likeQueries(runPrepared),
    ...bookmarkQueries(runPrepared),
    ...followQueries(runPrepared),
    ...commentQueries(runPrepared),
    ...nodeQueries(runPrepared),
    ...computedQueries(runPrepared),
    ...revisionQueries(runPrepared),
    ...sessionQueries(runPrepared),
    ...relatedQueries(runPrepared),
    ...tagQueries(runPrepared),
    ...syncQueries(runPrepared),
    ...accountQueries(runPrepared, db, now),
    ...draftQueries(runPrepared),
    ...listQueries(db),
    ...maintenanceQueries(db, now),
    ...searchQueries(db, createRunPrepared(pool, prepares), createRunPrepared(pool, false)),
  };
}

import type { Db, Queries } from "../../domain/ports.ts";
import type { Pipeline } from "../pipeline.ts";
import { categoryQueries } from "./categories.ts";
import { commentQueries } from "./comments.ts";
import { computedQueries } from "./computed-fields.ts";
import { likeQueries } from "./likes.ts";
import { listQueries } from "./lists.ts";
import { maintenanceQueries } from "./maintenance.ts";
import { postQueries } from "./posts.ts";
import { profileQueries } from "./profiles.ts";
import { prepareOn } from "./run-prepared.ts";
import { sessionQueries } from "./sessions.ts";

/** @param prepares whether to use named prepared statements */
export function openQueries(db: Db, readPipeline: Pick<Pipeline, "query">, prepares = true): Queries {
  const runPrepared = prepareOn(readPipeline, prepares);
  return {
    ...postQueries(runPrepared),
    ...profileQueries(runPrepared),
    ...categoryQueries(runPrepared),
    ...likeQueries(runPrepared),
    ...commentQueries(runPrepared),
    ...computedQueries(runPrepared),
    ...sessionQueries(runPrepared),
    ...listQueries(db),
    ...maintenanceQueries(db),
  };
}

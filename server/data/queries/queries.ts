import type { Pipeline } from "../pipeline.ts";
import { askOf } from "./run-prepared.ts";
import { categoryReads } from "./categories.ts";
import { commentReads } from "./comments.ts";
import { likeReads } from "./likes.ts";
import { postReads } from "./posts.ts";
import { profileReads } from "./profiles.ts";
import { sessionReads } from "./sessions.ts";
import type { Queries } from "../../domain/ports.ts";

/** The reads that pages are made of, as prepared statements. */
export function openReads(hot: Pipeline, prepares = true): Queries {
  const ask = askOf(hot, prepares);
  return {
    ...postReads(ask),
    ...profileReads(ask),
    ...categoryReads(ask),
    ...likeReads(ask),
    ...commentReads(ask),
    ...sessionReads(ask),
  };
}

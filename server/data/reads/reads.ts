import type pg from "pg";
import type { Reads } from "../../reads.ts";
import { askOf } from "./ask.ts";
import { categoryReads } from "./categories.ts";
import { commentReads } from "./comments.ts";
import { likeReads } from "./likes.ts";
import { postReads } from "./posts.ts";
import { profileReads } from "./profiles.ts";
import { sessionReads } from "./sessions.ts";

/** The reads that pages are made of, as prepared statements on the pool that Prisma uses too. */
export function openReads(pool: pg.Pool): Reads {
  const ask = askOf(pool);
  return {
    ...postReads(ask),
    ...profileReads(ask),
    ...categoryReads(ask),
    ...likeReads(ask),
    ...commentReads(ask),
    ...sessionReads(ask),
  };
}

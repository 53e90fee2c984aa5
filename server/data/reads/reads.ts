import type pg from "pg";
import type { Changes } from "../../changes.ts";
import type { Reads } from "../../reads.ts";
import { askOf } from "./ask.ts";
import { categoryReads } from "./categories.ts";
import { commentReads } from "./comments.ts";
import { likeReads } from "./likes.ts";
import { postReads } from "./posts.ts";
import { profileReads } from "./profiles.ts";
import { openRanks } from "./ranks.ts";
import { sessionReads } from "./sessions.ts";

/** The reads that pages are made of, as prepared statements on the pool that Prisma uses too. */
export function openReads(pool: pg.Pool, changes: Pick<Changes, "onChange" | "isListening">): Reads {
  const ask = askOf(pool);
  return {
    ...postReads(ask, openRanks(ask, changes)),
    ...profileReads(ask),
    ...categoryReads(ask),
    ...likeReads(ask),
    ...commentReads(ask),
    ...sessionReads(ask),
  };
}

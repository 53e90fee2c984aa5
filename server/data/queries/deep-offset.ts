import { DEEP_OFFSET } from "../../limits.ts";
import type { Slice } from "../../domain/post-selection.ts";
import { keysetClause, type createParams } from "./keyset.ts";

type Query = ReturnType<typeof createParams>;

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Spans of 128 days from any day on; a shift rounds down, also before that day. */
const FIRST_DAY = "DATE '2000-01-01'";
const SPAN = `(day - ${FIRST_DAY}) >> 7`;

/** Of the groups of `key`, newest first, the last one that begins at offset $1 or before. */
const lastBefore = (key: string, counted: string) =>
  `(SELECT * FROM (${counted}) counted WHERE before <= $1::bigint ORDER BY ${key} LIMIT 1)`;

const newer = (order: string) => `(sum(sum(posts)) OVER (ORDER BY ${order} DESC) - sum(posts))::bigint`;

const spans = `SELECT ${SPAN} AS span, ${newer(SPAN)} AS before FROM "PostDay" GROUP BY 1`;

const daysOfSpan = `
  SELECT day, (SELECT before FROM span) + ${newer("day")} AS before, sum(changes)::bigint AS changes
  FROM "PostDay" WHERE day >= ${FIRST_DAY} + ((SELECT span FROM span) << 7)
    AND day < ${FIRST_DAY} + ((SELECT span FROM span) + 1 << 7)
  GROUP BY day`;

/**
 * The nearest post to the row at offset $1, newest first, that a scan can start at: of the mark before it, or of its
 * day. `before` is the number of posts newer than that one. Days are found by their span, since a running sum over all days
 * of twenty years takes several times as long.
 */
export const START = `WITH span AS MATERIALIZED ${lastBefore("span", spans)},
  day AS MATERIALIZED ${lastBefore("day", daysOfSpan)},
  start AS MATERIALIZED (
    SELECT (day + 1)::timestamp AT TIME ZONE 'UTC' - interval '1 millisecond' AS "createdAt", '${LAST_ID}'::uuid AS id, before
    FROM day
    UNION ALL SELECT "createdAt", "postId", before + position FROM day JOIN "PostMark" USING (day, changes)
    WHERE position <= $1::bigint - before
    ORDER BY before DESC LIMIT 1)`;

/** Starts a deep page of the unfiltered list there instead of scanning all skipped rows. */
export function deepOffsetKeys(slice: Slice, query: Query): string {
  const skip = query.add(slice.skip);
  return `SELECT id FROM "Post" WHERE ("createdAt", id) <= ((SELECT "createdAt" FROM start), (SELECT id FROM start))
    ${keysetClause({ ...slice, skip: 0 }, query.add)} OFFSET ${skip}::bigint - (SELECT before FROM start)`;
}

/** Whether an unfiltered slice, newest first, has a deep offset. */
export const isDeepOffset = ({ skip, cursor, direction }: Slice) =>
  skip > DEEP_OFFSET && cursor === null && direction === "desc";

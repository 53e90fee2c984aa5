import type { Db, Writes } from "../../domain/ports.ts";

/** Posts from one mark to the next, which a page may have to skip, and days that one statement marks. */
const MARKING = { distance: 1_000, days: 10 };

export const markWrites = (db: Db): Pick<Writes, "markCrowdedDays"> => ({
  // One statement, so that the marks and the sum of the changes are of one snapshot.
  markCrowdedDays: () => db.$executeRaw`
    WITH outdated AS (
      SELECT day, sum(changes)::bigint AS changes FROM "PostDay" kept GROUP BY day
      HAVING sum(posts) > ${2 * MARKING.distance}::int AND NOT EXISTS (
        SELECT FROM "PostMark" mark WHERE mark.day = kept.day AND mark.changes = sum(kept.changes))
      ORDER BY day DESC LIMIT ${MARKING.days}::int)
    INSERT INTO "PostMark" AS mark (day, position, "createdAt", "postId", changes)
      SELECT day, position, "createdAt", id, changes FROM outdated CROSS JOIN LATERAL (
        SELECT "createdAt", id, row_number() OVER (ORDER BY "createdAt" DESC, id DESC) - 1 AS position FROM "Post"
        WHERE "createdAt" >= day::timestamp AT TIME ZONE 'UTC'
          AND "createdAt" < (day + 1)::timestamp AT TIME ZONE 'UTC') numbered
      WHERE position > 0 AND position % ${MARKING.distance}::int = 0 ORDER BY day, position
      ON CONFLICT (day, position) DO UPDATE
        SET ("createdAt", "postId", changes) = (excluded."createdAt", excluded."postId", excluded.changes)`,
});

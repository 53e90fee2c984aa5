import type { Db, Queries } from "../../domain/ports.ts";
import { Prisma } from "../../generated/prisma/client.ts";

const LEAST_ID = "00000000-0000-0000-0000-000000000000";

const { sql, empty } = Prisma;

const [ASCENDING, DESCENDING] = [sql`ASC`, sql`DESC`];

/** Posts without HTML at either end and at a random time, whose authors take turns: readers see the newest, and no other must wait for all of one author. */
const AUTHORS_AMONG = 2_000;
const unrendered = (order: Prisma.Sql, condition = empty) => sql`
  (SELECT * FROM "PostHtml" WHERE version = 0 AND html IS NULL ${condition} ORDER BY "postId" ${order} LIMIT ${AUTHORS_AMONG})`;

/** The 48 bits that an id begins with, mostly its time in milliseconds. */
const timeOf = (order: Prisma.Sql) => sql`
  (SELECT ('x' || left(replace("postId"::text, '-', ''), 12))::bit(48)::bigint
    FROM "PostHtml" WHERE version = 0 AND html IS NULL ORDER BY "postId" ${order} LIMIT 1)`;

const AFTER_RANDOM_TIME = sql`AND "postId" >= (
  SELECT rpad(lpad(to_hex(first + floor(random() * (last - first + 1))::bigint), 12, '0'), 32, '0')::uuid
  FROM (SELECT ${timeOf(ASCENDING)} AS first, ${timeOf(DESCENDING)} AS last) times)`;

type MaintenanceQueries = Pick<Queries, "dailyCounts" | "unrenderedPosts" | "outdatedHtml" | "dueDrafts">;

export const maintenanceQueries = (db: Db, now: () => Date): MaintenanceQueries => ({
  dailyCounts(days) {
    const today = now().toISOString().slice(0, 10);
    return db.$queryRaw`
      WITH calendar AS (SELECT ${today}::date - ago AS day FROM generate_series(0, ${days - 1}::int) AS ago),
      counted AS (
        SELECT noun, ("createdAt" AT TIME ZONE 'UTC')::date AS day, count(*) AS count
        FROM (
          SELECT 'users' AS noun, "createdAt" FROM "User"
          UNION ALL SELECT 'posts', "createdAt" FROM "Post"
          UNION ALL SELECT 'categories', "createdAt" FROM "Category"
          UNION ALL SELECT 'comments', "createdAt" FROM "Comment"
        ) AS made
        WHERE "createdAt" >= (SELECT min(day) FROM calendar)::timestamp AT TIME ZONE 'UTC'
        GROUP BY 1, 2)
      SELECT to_char(day, 'YYYY-MM-DD') AS day,
        coalesce(sum(count) FILTER (WHERE noun = 'users'), 0)::int AS users,
        coalesce(sum(count) FILTER (WHERE noun = 'posts'), 0)::int AS posts,
        coalesce(sum(count) FILTER (WHERE noun = 'categories'), 0)::int AS categories,
        coalesce(sum(count) FILTER (WHERE noun = 'comments'), 0)::int AS comments
      FROM calendar LEFT JOIN counted USING (day) GROUP BY day ORDER BY day`;
  },

  dueDrafts: (now, take) =>
    db.$queryRaw`
      SELECT draft.* FROM (
        SELECT id, row_number() OVER (PARTITION BY "userId" ORDER BY random()) AS number
        FROM "Draft" WHERE "publishAt" <= ${now} ORDER BY number, random() LIMIT ${take}) due
      JOIN "Draft" draft ON draft.id = due.id ORDER BY number`,

  unrenderedPosts: (take, after) => db.$queryRaw`
    SELECT id, description, "userId", version FROM (
      SELECT post.id, description, "userId", version,
        row_number() OVER (PARTITION BY "userId" ORDER BY post.id DESC) AS number
      FROM (
        ${unrendered(ASCENDING)} UNION ${unrendered(DESCENDING)} UNION ${unrendered(ASCENDING, AFTER_RANDOM_TIME)}) found
      JOIN "Post" post ON post.id = "postId") pending
    ORDER BY number, "userId" <= ${after ?? LEAST_ID}::uuid, "userId" LIMIT ${take}`,

  outdatedHtml: (version, take, after) => db.$queryRaw`
    SELECT post.id, post.description, post."userId", pending.version FROM (
      SELECT "postId", version FROM "PostHtml"
      WHERE (version, "postId") < (${after?.version ?? version}, ${after?.id ?? LEAST_ID}::uuid)
        AND html IS NOT NULL
      ORDER BY version DESC, "postId" DESC LIMIT ${take}) pending
    JOIN "Post" post ON post.id = "postId" ORDER BY pending.version DESC, post.id DESC`,
});

import type { Db, Queries } from "../../domain/ports.ts";

export const maintenanceQueries = (db: Db): Pick<Queries, "dailyCounts" | "outdatedHtml"> => ({
  dailyCounts: (since) => db.$queryRaw`
    SELECT noun, to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::int AS count
    FROM (
      SELECT 'users' AS noun, "createdAt" FROM "User"
      UNION ALL SELECT 'posts', "createdAt" FROM "Post"
      UNION ALL SELECT 'categories', "createdAt" FROM "Category"
      UNION ALL SELECT 'comments', "createdAt" FROM "Comment"
    ) AS made
    WHERE "createdAt" >= ${since}
    GROUP BY 1, 2`,

  outdatedHtml: (version, take) => db.$queryRaw`
    SELECT post.id, post.description FROM (
      SELECT "postId" FROM "PostHtml" WHERE version < ${version}
      ORDER BY version DESC, "postId" DESC LIMIT ${take}) pending
    JOIN "Post" post ON post.id = "postId"`,
});

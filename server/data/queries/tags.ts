import type { Queries } from "../../domain/ports.ts";
import type { Tag } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";

const byKey = `
  SELECT id, name, "createdAt" FROM "Tag" tag
  WHERE "nameKey" = $1 AND EXISTS (SELECT FROM "PostTag" WHERE "tagId" = tag.id)`;

const byIds = `SELECT id, name, "createdAt" FROM "Tag" WHERE id = ANY($1::uuid[])`;

const mostUsed = `
  SELECT name FROM "Tag" tag JOIN (
    SELECT "tagId", sum(posts) AS posts FROM "TagCount" GROUP BY 1 HAVING sum(posts) > 0) used ON "tagId" = tag.id
  ORDER BY posts DESC, tag.id LIMIT $1`;

const counts = `
  SELECT "tagId", sum(posts)::int AS count FROM "TagCount" WHERE "tagId" = ANY($1::uuid[]) GROUP BY 1`;

type TagQueries = Pick<Queries, "tagByKey" | "tagsById" | "tagNames" | "countPostsWithTags">;

export const tagQueries = (runPrepared: RunPrepared): TagQueries => ({
  tagByKey: async (key) => (await runPrepared<Tag>(byKey, [key]))[0] ?? null,
  tagsById: (ids) => runPrepared<Tag>(byIds, [[...ids]]),
  tagNames: async (take) => (await runPrepared<{ name: string }>(mostUsed, [take])).map(({ name }) => name),
  countPostsWithTags: async (tagIds) => {
    const rows = await runPrepared<{ tagId: string; count: number }>(counts, [[...tagIds]]);
    return new Map(rows.map(({ tagId, count }) => [tagId, count]));
  },
});

import type { Queries } from "../../domain/ports.ts";
import type { Tag } from "../../domain/post-selection.ts";
import { countBy, type RunPrepared } from "./run-prepared.ts";

const byKey = `
  SELECT id, name, "createdAt" FROM "Tag" tag
  WHERE "nameKey" = $1 AND EXISTS (SELECT FROM "PostTag" WHERE "tagId" = tag.id)`;

const byIds = `SELECT id, name, "createdAt" FROM "Tag" WHERE id = ANY($1::uuid[])`;

type TagQueries = Pick<Queries, "tagByKey" | "tagsById" | "countPostsWithTags">;

export const tagQueries = (runPrepared: RunPrepared): TagQueries => ({
  tagByKey: async (key) => (await runPrepared<Tag>(byKey, [key]))[0] ?? null,
  tagsById: (ids) => runPrepared<Tag>(byIds, [[...ids]]),
  countPostsWithTags: (tagIds) =>
    countBy(runPrepared, { table: "PostTag", column: "tagId", type: "uuid" }, tagIds),
});

import type { Neighbours } from "../../domain/post-selection.ts";
import type { Queries } from "../../domain/ports.ts";
import type { RunPrepared } from "./run-prepared.ts";

const related = (take: number) => `
  SELECT post.id, ARRAY(
    SELECT "relatedId"::text FROM "RelatedPost" WHERE "postId" = post.id ORDER BY score DESC, "relatedId" DESC LIMIT ${take}) AS ids
  FROM unnest($1::uuid[]) AS post(id)`;

const neighbour = (operator: "<" | ">", direction: "ASC" | "DESC") => `(
  SELECT id FROM "Post" WHERE "userId" = post."userId" AND ("createdAt", id) ${operator} (post."createdAt", post.id)
  ORDER BY "createdAt" ${direction}, id ${direction} LIMIT 1)`;

const neighbours = `
  SELECT id, "userId" AS "authorId", ${neighbour("<", "DESC")} AS previous, ${neighbour(">", "ASC")} AS next
  FROM "Post" post WHERE id = ANY($1::uuid[])`;

type RelatedQueries = Pick<Queries, "relatedIds" | "neighbourIds">;

export const relatedQueries = (runPrepared: RunPrepared): RelatedQueries => ({
  async relatedIds(postIds, take) {
    const rows = await runPrepared<{ id: string; ids: string[] }>(related(take), [[...postIds]]);
    return new Map(rows.map(({ id, ids }) => [id, ids]));
  },
  async neighbourIds(postIds) {
    const rows = await runPrepared<Neighbours & { id: string }>(neighbours, [[...postIds]]);
    return new Map(rows.map(({ id, ...found }) => [id, found]));
  },
});

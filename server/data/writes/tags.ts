import type { Writes } from "../../domain/ports.ts";

/** The transaction must hold the lock of `lockTags` (domain/posts/tags.ts). */
export const tagWrites: Pick<Writes, "setTags" | "mergeTags" | "deleteUnusedTags" | "sumTagCounts"> = {
  setTags: async (tx, postId, tags, now) => {
    const [names, keys] = [tags.map(({ name }) => name), tags.map(({ key }) => key)];
    // A tag that no post carries any more takes the new spelling.
    await tx.$executeRaw`
      INSERT INTO "Tag" AS tag (id, name, "nameKey", "createdAt")
      SELECT gen_random_uuid(), name, key, ${now} FROM unnest(${names}::text[], ${keys}::text[]) AS given(name, key)
      ON CONFLICT ("nameKey") DO UPDATE SET name = excluded.name, "createdAt" = excluded."createdAt"
      WHERE NOT EXISTS (SELECT FROM "PostTag" WHERE "tagId" = tag.id)`;
    const changed = await tx.$queryRaw<unknown[]>`
      WITH required AS (
        SELECT tag.id, position FROM unnest(${keys}::text[]) WITH ORDINALITY AS given(key, position)
        JOIN "Tag" tag ON tag."nameKey" = key),
      removed AS (
        DELETE FROM "PostTag" WHERE "postId" = ${postId}::uuid AND "tagId" NOT IN (SELECT id FROM required) RETURNING 1),
      written AS (
        INSERT INTO "PostTag" AS present ("postId", "tagId", position)
        SELECT ${postId}::uuid, id, position FROM required
        ON CONFLICT ("postId", "tagId") DO UPDATE SET position = excluded.position
        WHERE present.position <> excluded.position RETURNING 1)
      SELECT FROM removed UNION ALL SELECT FROM written`;
    return changed.length > 0;
  },

  mergeTags: async (tx, from, into) => {
    // The locks make it skip posts that are being deleted.
    await tx.$executeRaw`
      INSERT INTO "PostTag" ("postId", "tagId", position)
      SELECT post.id, ${into}::uuid, position FROM "PostTag" JOIN "Post" post ON post.id = "postId"
      WHERE "tagId" = ${from}::uuid FOR KEY SHARE OF post
      ON CONFLICT DO NOTHING`;
    await tx.$executeRaw`
      INSERT INTO "Follow" (id, "userId", "tagId", "createdAt")
      SELECT gen_random_uuid(), "userId", ${into}::uuid, follow."createdAt"
      FROM "Follow" follow JOIN "User" account ON account.id = "userId"
      WHERE "tagId" = ${from}::uuid FOR KEY SHARE OF account
      ON CONFLICT DO NOTHING`;
    await tx.tag.deleteMany({ where: { id: from } });
  },

  deleteUnusedTags: (tx, { limit, id = null, key = null }) =>
    tx.$executeRaw`
      DELETE FROM "Tag" WHERE id IN (
        SELECT id FROM "Tag" tag WHERE NOT EXISTS (SELECT FROM "PostTag" WHERE "tagId" = tag.id)
          AND (${id}::uuid IS NULL OR id = ${id}::uuid OR "nameKey" = ${key}) LIMIT ${limit})`,

  // One statement: rows that others add meanwhile are not in its snapshot, and stay.
  sumTagCounts: async (tx) => {
    await tx.$executeRaw`
      WITH summed AS (
        DELETE FROM "TagCount" WHERE "tagId" IN (
          SELECT "tagId" FROM "TagCount" LEFT JOIN "Tag" tag ON tag.id = "tagId"
          GROUP BY "tagId", tag.id HAVING count(*) > 1 OR tag.id IS NULL)
        RETURNING "tagId", posts)
      INSERT INTO "TagCount" ("tagId", posts)
      SELECT "tagId", sum(posts) FROM summed JOIN "Tag" ON "Tag".id = "tagId" GROUP BY 1 HAVING sum(posts) <> 0`;
  },
};

import type { Db, Writes } from "../../domain/ports.ts";
import { pictureWrites } from "./pictures.ts";
import { markWrites } from "./post-marks.ts";
import { counterWrites } from "./rate-limits.ts";
import { relatedWrites } from "./related-posts.ts";
import { tagWrites } from "./tags.ts";

export const openWrites = (db: Db): Writes => ({
  ...counterWrites,
  ...pictureWrites(db),
  ...markWrites(db),
  ...relatedWrites,
  ...tagWrites,

  // The lock waits for a concurrent update of the post and then sees its text.
  storeHtml: async ({ postId, description, html, version }) => {
    await db.$executeRaw`
      WITH current AS (SELECT id FROM "Post" WHERE id = ${postId}::uuid AND description = ${description} FOR SHARE)
      UPDATE "PostHtml" SET html = ${html}, version = ${version} FROM current WHERE "postId" = current.id`;
  },

  indexPosts: async (posts) => {
    const column = (name: keyof (typeof posts)[number]) => posts.map((post) => post[name]);
    await db.$executeRaw`
      WITH given AS (SELECT * FROM unnest(${column("id")}::uuid[], ${column("title")}::text[], ${column("description")}::text[],
        ${column("spacedTitle")}::text[], ${column("spacedDescription")}::text[]) AS given(id, title, description, spaced_title, spaced)),
      current AS (SELECT post.*, author.username, spaced_title, spaced FROM given
        JOIN "Post" post ON (post.id, post.title, post.description) = (given.id, given.title, given.description)
        JOIN "User" author ON author.id = post."userId" FOR SHARE OF post SKIP LOCKED),
      written AS (
        INSERT INTO "PostSearch" ("postId", "createdAt", "userId", category, name, title, words)
          SELECT id, "createdAt", "userId", category, "searchName"(spaced_title), "searchWords"(spaced_title),
            "wordsOfPost"(spaced_title, category, username, spaced) FROM current
          ON CONFLICT ("postId") DO UPDATE SET ("createdAt", "userId", category, name, title, words) =
            (excluded."createdAt", excluded."userId", excluded.category, excluded.name, excluded.title, excluded.words))
      DELETE FROM "UnindexedPost" USING current WHERE "postId" = current.id`;
  },

  setConfusableKeys: async (keys) => {
    const [ids, values] = [[...keys.keys()], [...keys.values()]];
    await db.$executeRaw`
      UPDATE "User" SET "confusableKey" = filled.key
      FROM unnest(${ids}::uuid[], ${values}::text[]) AS filled(id, key) WHERE "User".id = filled.id`;
  },
});

import type { Tx, Writes } from "../../domain/ports.ts";

type Row = { id: string };

/**
 * Bounds the work whatever the number of posts: candidates are the newest with one of the tags, of the category and of
 * the blog, and words are those at the beginnings of the texts. Short words are left out, since most texts have them.
 */
const SCORING = { perTag: 30, category: 10, words: 20, longWord: 5, text: 2_000, stored: 8 };

type Scored = { id: string; score: number };

const findBest = (tx: Tx, postId: string): Promise<Scored[]> => {
  const { perTag, category, words, longWord, text, stored } = SCORING;
  return tx.$queryRaw<Scored[]>`
    WITH subject AS (SELECT * FROM "Post" WHERE id = ${postId}::uuid),
    tags AS (SELECT "tagId" FROM "PostTag" WHERE "postId" = ${postId}::uuid),
    words AS (
      SELECT lexeme FROM subject, unnest("postWords"(title, left(description, ${text}::int)))
      WHERE length(lexeme) >= ${longWord}::int),
    candidates AS (
      (SELECT "postId" AS id FROM "PostTag" WHERE "tagId" IN (SELECT "tagId" FROM tags) ORDER BY "postId" DESC LIMIT 200)
      UNION (SELECT id FROM "Post" WHERE category = (SELECT category FROM subject) ORDER BY "createdAt" DESC, id DESC LIMIT 100)
      UNION (SELECT id FROM "Post" ORDER BY "createdAt" DESC, id DESC LIMIT 100)),
    scored AS (
      SELECT post.id, (
        ${perTag}::int * (SELECT count(*) FROM "PostTag" WHERE "postId" = post.id AND "tagId" IN (SELECT "tagId" FROM tags))
        + CASE WHEN post.category = subject.category THEN ${category}::int ELSE 0 END
        + least(${words}::int, (
          SELECT count(*) FROM unnest("postWords"(post.title, left(post.description, ${text}::int)))
          WHERE lexeme IN (SELECT lexeme FROM words))))::int AS score
      FROM subject, candidates JOIN "Post" post USING (id) WHERE post.id <> subject.id)
    SELECT * FROM scored WHERE score > 0 ORDER BY score DESC, id DESC LIMIT ${stored}::int`;
};

/**
 * Prevents deletion of posts until the transaction ends. A deletion locks its posts before their relations, so without
 * these locks each could wait for the other; those that are being deleted are left out.
 */
const lockPosts = async (tx: Tx, postId: string, best: readonly Scored[]): Promise<string[]> => {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT id FROM "Post" WHERE id = ANY (${[postId, ...best.map(({ id }) => id)]}::uuid[]) OR id IN (
      SELECT "relatedId" FROM "RelatedPost" WHERE "postId" = ${postId}::uuid
      UNION SELECT "postId" FROM "RelatedPost" WHERE "relatedId" = ${postId}::uuid)
    FOR KEY SHARE SKIP LOCKED`;
  return rows.map(({ id }) => id);
};

export const relatedWrites: Pick<Writes, "relatePost"> = {
  relatePost: async (tx, postId) => {
    const best = await findBest(tx, postId);
    const locked = await lockPosts(tx, postId, best);
    if (!locked.includes(postId)) return [];
    const removed = await tx.$queryRaw<Row[]>`
      DELETE FROM "RelatedPost" WHERE ("postId" = ${postId}::uuid AND "relatedId" = ANY (${locked}::uuid[]))
      OR ("relatedId" = ${postId}::uuid AND "postId" = ANY (${locked}::uuid[])) RETURNING "postId" AS id`;
    const found = best.filter(({ id }) => locked.includes(id));
    const added = await tx.$queryRaw<Row[]>`
      WITH best AS (
        SELECT * FROM unnest(${found.map(({ id }) => id)}::uuid[], ${found.map(({ score }) => score)}::int[]) AS best(id, score))
      INSERT INTO "RelatedPost" ("postId", "relatedId", score)
      SELECT ${postId}::uuid, id, score FROM best UNION ALL SELECT id, ${postId}::uuid, score FROM best
      RETURNING "postId" AS id`;
    await tx.$executeRaw`UPDATE "RelatedState" SET "isCurrent" = true WHERE "postId" = ${postId}::uuid`;
    return [...new Set([...removed, ...added].map(({ id }) => id))];
  },
};

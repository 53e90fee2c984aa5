import type pg from "pg";
import type { PostSelection } from "../../domain/post-selection.ts";
import { createParams } from "../queries/keyset.ts";
import { writeAndReadPost } from "../queries/posts.ts";
import { createRunPrepared } from "../queries/run-prepared.ts";
import type { Likes } from "../../domain/ports.ts";

/** Locks the post against a concurrent deletion. The account comes first, as in account deletion, to avoid a deadlock. */
const liked = (postId: string, userId: string) => `
  liker AS MATERIALIZED (SELECT id FROM "User" WHERE id = ${userId} FOR KEY SHARE),
  liked AS (SELECT "Post".id FROM "Post" CROSS JOIN liker WHERE "Post".id = ${postId} FOR KEY SHARE OF "Post")`;

const insertion = (userId: string) => `
  INSERT INTO "Like" ("postId", "userId") SELECT id, ${userId} FROM liked ON CONFLICT DO NOTHING RETURNING 1`;

const deletion = (userId: string) => `
  DELETE FROM "Like" USING liked WHERE "postId" = liked.id AND "userId" = ${userId} RETURNING 1`;

export function openLikes(pool: pg.Pool, prepares = true): Likes {
  const runPrepared = createRunPrepared(pool, prepares);
  const writeBy =
    (write: (userId: string) => string) =>
    async <W extends PostSelection>(postId: string, userId: string, selection: W) => {
      const query = createParams();
      const [post, user] = [query.add(postId), query.add(userId)];
      const steps = `WITH ${liked(post, user)}, written AS (${write(user)})`;
      return writeAndReadPost(runPrepared, { keys: "SELECT id FROM liked", query, steps }, selection);
    };
  return { add: writeBy(insertion), remove: writeBy(deletion) };
}

import type pg from "pg";
import type { PostSelection } from "../../domain/post-selection.ts";
import { createParams } from "../queries/keyset.ts";
import { runPostQuery } from "../queries/posts.ts";
import { prepareOn } from "../queries/run-prepared.ts";
import type { Likes } from "../../domain/ports.ts";

/** Locks the post against a concurrent deletion. The account comes first, as in account deletion, to avoid a deadlock. */
const liked = (postId: string, userId: string) => `
  liker AS MATERIALIZED (SELECT id FROM "User" WHERE id = ${userId} FOR KEY SHARE),
  liked AS (SELECT "Post".id FROM "Post" CROSS JOIN liker WHERE "Post".id = ${postId} FOR KEY SHARE OF "Post")`;

const inserted = (userId: string) => `inserted AS (
  INSERT INTO "Like" ("postId", "userId") SELECT id, ${userId} FROM liked ON CONFLICT DO NOTHING)`;

const deleted = (userId: string) => `deleted AS (
  DELETE FROM "Like" USING liked WHERE "postId" = liked.id AND "userId" = ${userId})`;

export function openLikes(pool: pg.Pool, prepares = true): Likes {
  const runPrepared = prepareOn(pool, prepares);
  const writeBy =
    (write: (userId: string) => string) =>
    async <W extends PostSelection>(postId: string, userId: string, selection: W) => {
      const query = createParams();
      const [post, user] = [query.add(postId), query.add(userId)];
      const steps = `WITH ${liked(post, user)}, ${write(user)}`;
      const [written] = await runPostQuery(
        runPrepared,
        { keys: "SELECT id FROM liked", query, steps },
        selection,
      );
      return written ?? null;
    };
  return { add: writeBy(inserted), remove: writeBy(deleted) };
}

import type pg from "pg";
import type { PostSelection } from "../../domain/post-selection.ts";
import { createParams } from "../queries/keyset.ts";
import { runPostQuery } from "../queries/posts.ts";
import { prepareOn } from "../queries/run-prepared.ts";
import type { Likes } from "../../domain/ports.ts";

/**
 * The post stays while it is liked; a deletion waits, or was first. The account is locked before the post, as
 * its deletion does: else each could wait for the other.
 */
const liked = (postId: string, userId: string) => `
  liker AS MATERIALIZED (SELECT id FROM "User" WHERE id = ${userId} FOR KEY SHARE),
  liked AS (SELECT "Post".id FROM "Post" CROSS JOIN liker WHERE "Post".id = ${postId} FOR KEY SHARE OF "Post")`;

const came = (userId: string) => `came AS (
  INSERT INTO "Like" ("postId", "userId") SELECT id, ${userId} FROM liked ON CONFLICT DO NOTHING)`;

const gone = (userId: string) => `gone AS (
  DELETE FROM "Like" USING liked WHERE "postId" = liked.id AND "userId" = ${userId})`;

/** Writes and reads in one prepared statement each. */
export function openLikes(pool: pg.Pool, prepares = true): Likes {
  const ask = prepareOn(pool, prepares);
  const writeBy =
    (write: (userId: string) => string) =>
    async <W extends PostSelection>(postId: string, userId: string, wanted: W) => {
      const query = createParams();
      const [post, user] = [query.put(postId), query.put(userId)];
      const steps = `WITH ${liked(post, user)}, ${write(user)}`;
      const [written] = await runPostQuery(ask, { keys: "SELECT id FROM liked", query, steps }, wanted);
      return written ?? null;
    };
  return { add: writeBy(came), remove: writeBy(gone) };
}

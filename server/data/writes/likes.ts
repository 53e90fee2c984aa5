import type pg from "pg";
import type { PostSelection } from "../../domain/post-selection.ts";
import { createParams } from "../queries/keyset.ts";
import { writeAndReadPost } from "../queries/posts.ts";
import { createRunPrepared } from "../queries/run-prepared.ts";
import type { Likes } from "../../domain/ports.ts";

/** Locks the post $1 against a concurrent deletion. The account $2 comes first, as in account deletion, to avoid a deadlock. */
const liked = `
  liker AS MATERIALIZED (SELECT id FROM "User" WHERE id = $2 FOR KEY SHARE),
  liked AS (SELECT "Post".id FROM "Post" CROSS JOIN liker WHERE "Post".id = $1 FOR KEY SHARE OF "Post")`;

const insertion = `
  INSERT INTO "Like" ("postId", "userId") SELECT id, $2 FROM liked ON CONFLICT DO NOTHING RETURNING 1`;

const deletion = `
  DELETE FROM "Like" USING liked WHERE "postId" = liked.id AND "userId" = $2 RETURNING 1`;

export function openLikes(pool: pg.Pool, prepares = true): Likes {
  const runPrepared = createRunPrepared(pool, prepares);
  const writeBy = (write: string) => {
    const steps = `WITH ${liked}, written AS (${write})`;
    return <W extends PostSelection>(postId: string, userId: string, selection: W) => {
      const query = createParams();
      query.values.push(postId, userId);
      return writeAndReadPost(runPrepared, { keys: "SELECT id FROM liked", query, steps }, selection);
    };
  };
  return { add: writeBy(insertion), remove: writeBy(deletion) };
}

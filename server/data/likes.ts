import type pg from "pg";
import type { Likes } from "../context.ts";
import type { Wanted } from "../reads.ts";
import { numbered } from "./reads/slices.ts";
import { readPosts } from "./reads/posts.ts";
import { askOf } from "./reads/ask.ts";

/** The post stays while it is liked; whoever deletes it waits, or was first. */
const liked = (postId: string) => `liked AS (SELECT id FROM "Post" WHERE id = ${postId} FOR KEY SHARE)`;

const came = (userId: string) => `came AS (
  INSERT INTO "Like" ("postId", "userId") SELECT id, ${userId} FROM liked ON CONFLICT DO NOTHING)`;

const gone = (userId: string) => `gone AS (
  DELETE FROM "Like" USING liked WHERE "postId" = liked.id AND "userId" = ${userId})`;

/** Writes and reads in one prepared statement each. */
export function openLikes(pool: pg.Pool): Likes {
  const ask = askOf(pool);
  const writeBy =
    (write: (userId: string) => string) =>
    async <W extends Wanted>(postId: string, userId: string, wanted: W) => {
      const query = numbered();
      const steps = `WITH ${liked(query.put(postId))}, ${write(query.put(userId))}`;
      const [post] = await readPosts(
        ask,
        "SELECT id FROM liked",
        { direction: "desc" },
        wanted,
        query,
        steps,
      );
      return post ?? null;
    };
  return { add: writeBy(came), remove: writeBy(gone) };
}

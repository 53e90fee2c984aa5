import type { Queries } from "../../domain/ports.ts";
import type { RowKey } from "../../domain/post-selection.ts";
import { createParams, keysetClause } from "./keyset.ts";
import { postsOfAccount, type RunPrepared } from "./run-prepared.ts";

type BookmarkQueries = Pick<Queries, "bookmarkedBy" | "bookmarks" | "countBookmarks">;

export const bookmarkQueries = (runPrepared: RunPrepared): BookmarkQueries => ({
  bookmarkedBy: (userId, postIds) => postsOfAccount(runPrepared, "Bookmark", userId, postIds),

  bookmarks(userId, slice) {
    const query = createParams();
    const text = `
      SELECT id, "createdAt" FROM (
        SELECT "postId" AS id, "createdAt" FROM "Bookmark" WHERE "userId" = ${query.add(userId)}) own
      WHERE true ${keysetClause(slice, query.add)}`;
    return runPrepared<RowKey>(text, query.values);
  },

  async countBookmarks(userId) {
    const text = `SELECT count(*)::int FROM "Bookmark" WHERE "userId" = $1`;
    return (await runPrepared<{ count: number }>(text, [userId]))[0]?.count ?? 0;
  },
});

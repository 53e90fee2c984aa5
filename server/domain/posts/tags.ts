import { z } from "zod";
import { conflict, notFound } from "../../errors.ts";
import { repeatInBatches } from "../../batches.ts";
import { mapConstraintError } from "../constraint-errors.ts";
import type { ConnectionArgs } from "../lists/connections.ts";
import type { Ctx, ReadCtx, Services } from "../context.ts";
import { parseId, parseInput } from "../input.ts";
import { readList, type ListQuery, listQueryParser } from "../lists/lists.ts";
import { asViewer, requireAdmin } from "../permissions.ts";
import type { Tx } from "../ports.ts";
import type { Tag } from "../post-selection.ts";
import { searchedTagKey, tagKey, tagNameInput } from "./tag-names.ts";

export type { Tag };

const BATCH = 10_000;

const parseQuery = listQueryParser(["createdAt", "name", "postCount"], "createdAt");

/** Tags that some post carries, in order of creation by default. @throws BAD_USER_INPUT, UNAVAILABLE */
export function readTags(ctx: ReadCtx, query: ListQuery, pageArgs: ConnectionArgs) {
  const { search, order } = parseQuery(query);
  const selection = { list: "tags", search: search ? { text: search, key: tagKey(search) } : null } as const;
  return readList<Tag>(ctx, { selection, order }, pageArgs, (ids) => ctx.queries.tagsById(ids));
}

/** Any spelling of its name will do. @returns null for a tag that no post carries */
export const findTag = (ctx: ReadCtx, name: string): Promise<Tag | null> =>
  ctx.queries.tagByKey(searchedTagKey(name));

export const countPostsWithTags = (ctx: ReadCtx, tagIds: readonly string[]) =>
  ctx.queries.countPostsWithTags(tagIds);

export const findTagsOf = ({ queries }: Pick<ReadCtx, "queries">, postIds: readonly string[]) =>
  queries.computed("tags", postIds);

/**
 * Keeps other changes of tags waiting until the transaction ends, so that none deletes or renames a tag that another is
 * giving to a post. The order of locks is in data/locks.ts.
 */
export const lockTags = ({ locks }: Pick<Ctx, "locks">, tx: Tx) => locks.lockKey(tx, "tags");

/** Gives a post these tags and no others. @returns whether they differ from before. The transaction must have called `lockTags`. */
export const setTags = (
  { writes, now }: Pick<Ctx, "writes" | "now">,
  tx: Tx,
  postId: string,
  names: readonly string[],
): Promise<boolean> =>
  writes.setTags(
    tx,
    postId,
    names.map((name) => ({ name, key: tagKey(name) })),
    now(),
  );

/** Like setTags; other tags than before change the post's `updatedAt`. @returns whether there are others */
export async function replaceTags(
  services: Pick<Ctx, "writes" | "now">,
  tx: Tx,
  postId: string,
  names: readonly string[],
): Promise<boolean> {
  const hasChanged = await setTags(services, tx, postId, names);
  if (hasChanged) await tx.post.update({ where: { id: postId }, data: { tagsChangedAt: services.now() } });
  return hasChanged;
}

const renaming = z.strictObject({ name: tagNameInput });

/** Posts keep their `updatedAt`. @throws UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT, NOT_FOUND, CONFLICT */
export function renameTag(ctx: Ctx, id: string, fields: unknown): Promise<Tag> {
  return asViewer(ctx, async () => {
    requireAdmin(ctx);
    const tagId = parseId(id);
    const { name } = parseInput(renaming, fields);
    const tag = await ctx.db.$transaction(async (tx) => {
      await lockTags(ctx, tx);
      // Its name may be that of an invisible tag, which has no posts any more.
      await ctx.writes.deleteUnusedTags(tx, { limit: 2, id: tagId, key: tagKey(name) });
      return tx.tag
        .update({ where: { id: tagId }, data: { name, nameKey: tagKey(name) }, omit: { nameKey: true } })
        .catch(mapConstraintError("unique", () => conflict("tag already exist")))
        .catch(mapConstraintError("missing", () => notFound("tag")));
    });
    ctx.invalidate("*");
    return tag;
  });
}

/**
 * Gives the posts of one tag another instead, and deletes the first. Posts keep their `updatedAt`.
 * @returns the tag that stays
 * @throws UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT, NOT_FOUND
 */
export function mergeTags(ctx: Ctx, from: string, into: string): Promise<Tag> {
  return asViewer(ctx, async () => {
    requireAdmin(ctx);
    const [fromId, intoId] = [parseId(from), parseId(into)];
    const tag = await ctx.db.$transaction(async (tx) => {
      await lockTags(ctx, tx);
      const found = await tx.tag.findMany({
        where: { id: { in: [fromId, intoId] } },
        omit: { nameKey: true },
      });
      const target = found.find(({ id }) => id === intoId);
      if (!target || !found.some(({ id }) => id === fromId)) throw notFound("tag");
      if (fromId !== intoId) await ctx.writes.mergeTags(tx, fromId, intoId);
      return target;
    });
    ctx.invalidate("*");
    return tag;
  });
}

/** Deletes tags that no post carries any more, and sums up the counts of the others. */
export async function removeUnusedTags({ db, locks, writes }: Services): Promise<void> {
  const locked = <T>(work: (tx: Tx) => Promise<T>) =>
    db.$transaction(async (tx) => {
      await lockTags({ locks }, tx);
      return work(tx);
    });
  await repeatInBatches(BATCH, () => locked((tx) => writes.deleteUnusedTags(tx, { limit: BATCH })));
  await locked((tx) => writes.sumTagCounts(tx));
}

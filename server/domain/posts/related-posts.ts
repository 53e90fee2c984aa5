import { badField } from "../../errors.ts";
import { JOB_TIME } from "../../limits.ts";
import { runDeferred } from "../deferred-work.ts";
import type { Ctx, ReadCtx, Services } from "../context.ts";
import type { Tx } from "../ports.ts";

const MAX_RELATED = 8;
const BATCH = 20;

/** Ids of the posts that have most in common with each of these, the most similar first. */
export function findRelated(ctx: ReadCtx, postIds: readonly string[], first: number) {
  return ctx.queries.relatedIds(postIds, first);
}

/** @throws BAD_USER_INPUT */
export function parseRelatedCount(first: number): number {
  if (Number.isInteger(first) && first >= 1 && first <= MAX_RELATED) return first;
  const message = `"first" must be between 1 and ${MAX_RELATED}`;
  throw badField("first", message);
}

export const findNeighbours = (ctx: ReadCtx, postIds: readonly string[]) => ctx.queries.neighbourIds(postIds);

/** Keeps other computations and deletions waiting until the transaction ends: two could wait for each other's rows. */
export const lockRelated = ({ locks }: Pick<Services, "locks">, tx: Tx) => locks.lockKey(tx, "related posts");

/** Computes the related posts of a post that has changed, and adds it to those of others. Reads of posts only look them up. */
async function relatePost(services: Services, postId: string): Promise<void> {
  const changed = await services.db.$transaction(async (tx) => {
    await lockRelated(services, tx);
    const state = await tx.relatedState.findUnique({ where: { postId } });
    if (state?.isCurrent !== false) return [];
    return services.writes.relatePost(tx, postId);
  });
  services.invalidate(...changed.map((id) => `post:${id}` as const));
}

/** Runs after the response to a change. If it fails, for instance because a post was deleted meanwhile, the job repeats it. */
export const relateAfterResponse = (ctx: Ctx, postId: string): void =>
  runDeferred(
    ctx,
    { kind: "relations", key: ctx.origin },
    (after) => relatePost(after, postId),
    () => undefined,
  );

/** Computes a batch of those that are not current; one that fails does not keep others waiting. @returns whether more may be pending */
export async function relatePending(services: Services): Promise<boolean> {
  const pending = await services.db.relatedState.findMany({ where: { isCurrent: false }, take: BATCH });
  const end = performance.now() + JOB_TIME;
  let failed = 0;
  for (const { postId } of pending) {
    await relatePost(services, postId).catch(() => failed++);
    if (performance.now() > end) return failed === 0;
  }
  return pending.length === BATCH && failed < BATCH;
}

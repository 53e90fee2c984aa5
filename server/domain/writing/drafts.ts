import { z } from "zod";
import type { DraftModel } from "../../generated/prisma/models.ts";
import { badInput, conflict, notFound } from "../../errors.ts";
import { MAX_DRAFTS } from "../../limits.ts";
import { byTime, inTime, readConnection, type ConnectionArgs } from "../connections.ts";
import { isRefusedAs } from "../constraint-errors.ts";
import type { Ctx, ReadCtx, Viewer } from "../context.ts";
import { isId, parseId, parseInput, typedText } from "../input.ts";
import { asViewer, requireViewer } from "../permissions.ts";
import { limitWrites } from "../write-limits.ts";

export type Draft = DraftModel;

/** Which draft a write changes, and the version that it replaces. */
export type DraftVersion = { id?: string | null; version?: number | null };

/** Null empties a field; one that is left out keeps its value. */
const emptiable = (max: number) =>
  typedText(max)
    .nullish()
    .transform((value) => (value === null ? "" : value));

/** As long as those of a post, and stored as they were typed: nobody may find less than what was written. */
const draftInput = z.strictObject({
  title: emptiable(200),
  description: emptiable(50_000),
  category: emptiable(100),
  alt: emptiable(500),
  postUpdatedAt: z
    .date()
    .nullish()
    .transform((value) => value ?? undefined),
});

type Changes = z.output<typeof draftInput>;

/**
 * Creates a draft, or replaces a version of one. A repeated request returns the draft as it is. Version 0 creates a
 * draft under an id of the client's choice, so that a repeated request creates no second one.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, RATE_LIMITED, CONFLICT with the present draft for another version
 */
export function saveDraft(ctx: Ctx, { id, version }: DraftVersion, fields: unknown): Promise<Draft> {
  return asViewer(ctx, async (viewer) => {
    const draftId = id == null ? undefined : parseId(id);
    const changes = parseInput(draftInput, fields);
    if (draftId !== undefined && version == null)
      throw badInput('"version" is required', { version: '"version" is required' });
    return limitWrites(ctx, "drafts", () =>
      draftId === undefined || version === 0
        ? createDraft(ctx, viewer, draftId, changes)
        : replaceDraft(ctx, { id: draftId, userId: viewer.id, version: Number(version) }, changes),
    );
  });
}

async function createDraft(ctx: Ctx, viewer: Viewer, id: string | undefined, changes: Changes) {
  try {
    return await ctx.db.$transaction(async (tx) => {
      // The lock keeps concurrent requests from exceeding the number of drafts.
      if (!(await ctx.locks.lockAccount(tx, viewer.id))) throw notFound("user");
      if ((await tx.draft.count({ where: { userId: viewer.id } })) >= MAX_DRAFTS)
        throw badInput(`an account has at most ${MAX_DRAFTS} drafts, please delete some`);
      // Only the draft of a post is based on a state of it.
      const { postUpdatedAt: _, ...content } = changes;
      return tx.draft.create({ data: { ...content, id, userId: viewer.id, createdAt: ctx.now() } });
    });
  } catch (error) {
    if (id === undefined || !isRefusedAs("unique", error)) throw error;
    const current = await ctx.db.draft.findFirst({ where: { id, userId: viewer.id } });
    if (!current) throw conflict("this id is taken");
    return sameOrConflict(current, changes);
  }
}

type Replaced = { id: string; userId: string; version: number };

async function replaceDraft(ctx: Ctx, { id, userId, version }: Replaced, changes: Changes): Promise<Draft> {
  const [saved] = await ctx.db.draft.updateManyAndReturn({
    where: { id, userId, version },
    data: { ...changes, version: { increment: 1 } },
  });
  return saved ?? sameOrConflict(await requireDraft(ctx, id), changes);
}

/** @throws CONFLICT unless the draft has these values already, as after a request whose response was lost */
function sameOrConflict(current: Draft, changes: Changes): Draft {
  const names = Object.keys(changes) as (keyof Changes)[];
  const isSame = names.every(
    (name) => changes[name] === undefined || changes[name]?.valueOf() === current[name]?.valueOf(),
  );
  if (isSame) return current;
  throw conflict("this draft has been changed elsewhere", stateOf(current));
}

/** What an error tells of a draft. */
const stateOf = (draft: Draft) => ({
  id: draft.id,
  version: draft.version,
  title: draft.title,
  description: draft.description,
  category: draft.category,
  alt: draft.alt,
  postId: draft.postId,
  postUpdatedAt: draft.postUpdatedAt,
  publishAt: draft.publishAt,
  createdAt: draft.createdAt,
  updatedAt: draft.updatedAt,
});

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND */
export function deleteDraft(ctx: Ctx, id: string) {
  return asViewer(ctx, async (viewer) => {
    const draftId = parseId(id);
    const { count } = await ctx.db.draft.deleteMany({ where: { id: draftId, userId: viewer.id } });
    if (count === 0) throw notFound("draft");
    return { id: draftId, message: "draft has been deleted" };
  });
}

/** @returns null for drafts of others, and for a visitor */
export async function findDraft(ctx: ReadCtx, id: string): Promise<Draft | null> {
  if (!ctx.viewer || !isId(id)) return null;
  return ctx.queries.draft(ctx.viewer.id, id);
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND for drafts of others too */
export async function requireDraft(ctx: ReadCtx, id: string): Promise<Draft> {
  requireViewer(ctx);
  const draft = await findDraft(ctx, parseId(id));
  if (!draft) throw notFound("draft");
  return draft;
}

/**
 * The viewer's drafts, newest first.
 * @param withTexts whether the rows need their descriptions
 * @throws UNAUTHENTICATED, BAD_USER_INPUT
 */
export function readDrafts(ctx: ReadCtx, window: ConnectionArgs, withTexts: boolean) {
  const userId = requireViewer(ctx).id;
  return readConnection<Draft>(
    {
      order: byTime("desc"),
      find: (slice) => ctx.queries.drafts(userId, inTime(slice), withTexts),
      count: () => ctx.queries.countDrafts(userId),
    },
    window,
  );
}

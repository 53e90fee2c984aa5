import { z } from "zod";
import type { DraftModel } from "../../generated/prisma/models.ts";
import { badField, badInput, conflict, notFound } from "../../errors.ts";
import { LENGTHS, MAX_DRAFT_TAGS, MAX_DRAFTS } from "../../limits.ts";
import { byTime, toTimeSlice, readConnection, type ConnectionArgs } from "../lists/connections.ts";
import { queueIfLong } from "../lists/lists.ts";
import { isRefusedAs } from "../constraint-errors.ts";
import type { Ctx, ReadCtx, Viewer } from "../context.ts";
import { isId, parseId, parseInput, storableTime, typedText } from "../input.ts";
import { asViewer, requireViewer } from "../permissions.ts";
import { requireOwnPost } from "../posts/post-changes.ts";
import { countAdditionalWrites, limitTextWrites } from "../write-limits.ts";
import { indexedPicturesIn } from "./text-pictures.ts";

export type Draft = DraftModel;

/** The draft that a write changes, and the version that it replaces. */
export type DraftVersion = { id?: string | null; version?: number | null };

/** Null empties a field; one that is left out keeps its value. */
const emptiable = (max: number) =>
  typedText(max)
    .nullish()
    .transform((value) => (value === null ? "" : value));

/** Limited like those of a post, and stored unchanged, so that no input is lost. */
const draftInput = z.strictObject({
  title: emptiable(LENGTHS.title[1]),
  description: emptiable(LENGTHS.description[1]),
  category: emptiable(LENGTHS.category[1]),
  alt: emptiable(LENGTHS.alt[1]),
  tags: z
    .array(typedText(100))
    .refine((tags) => tags.length <= MAX_DRAFT_TAGS, `must not be more than ${MAX_DRAFT_TAGS}`)
    .nullish()
    .transform((tags) => (tags === null ? [] : tags)),
  picture: z
    .string()
    .nullish()
    .transform((value) => (value === undefined ? undefined : value || null)),
  postUpdatedAt: storableTime.nullish().transform((value) => value ?? undefined),
});

type Changes = Partial<Pick<Draft, "title" | "description" | "category" | "alt" | "tags" | "pictureId">> & {
  postUpdatedAt?: Date | undefined;
};

/** @throws BAD_USER_INPUT, also for a picture of another account */
async function parseChanges(ctx: Ctx, viewer: Viewer, fields: unknown): Promise<Changes> {
  const { picture, ...changes } = parseInput(draftInput, fields);
  if (picture === undefined) return changes;
  const pictureId = picture?.toLowerCase() ?? null;
  const isOwn =
    pictureId === null ||
    (isId(pictureId) && (await ctx.db.upload.count({ where: { pictureId, userId: viewer.id } })) > 0);
  if (isOwn) return { ...changes, pictureId };
  const message = '"picture" must be a picture that you have uploaded';
  throw badField("picture", message);
}

/**
 * Creates a draft, or replaces a version of one. A repeated request returns the draft as it is. Version 0 creates a
 * draft under an id of the client's choice, so that a repeated request creates no second one.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, RATE_LIMITED, CONFLICT with the present draft for another version
 */
export function saveDraft(ctx: Ctx, { id, version }: DraftVersion, fields: unknown): Promise<Draft> {
  return asViewer(ctx, async (viewer) => {
    const draftId = id == null ? undefined : parseId(id);
    const changes = await parseChanges(ctx, viewer, fields);
    if (draftId !== undefined && version == null) throw badField("version", '"version" is required');
    return limitTextWrites(ctx, "drafts", async () => {
      const added = await countNewPictures(ctx, viewer, draftId, changes.description);
      const saved = await (draftId === undefined || version === 0
        ? createDraft(ctx, viewer, draftId, changes)
        : replaceDraft(ctx, { id: draftId, userId: viewer.id, version: Number(version) }, changes));
      await countAdditionalWrites(ctx, "drafts", Math.floor(added / PICTURES_PER_WRITE));
      return saved;
    });
  });
}

/** PostgreSQL never removes a picture from the index of the texts that show it, 43 bytes each. */
const PICTURES_PER_WRITE = 10;

/** Pictures of a text that its draft did not have; 0 if they are too few to count. */
async function countNewPictures(
  ctx: Ctx,
  viewer: Viewer,
  id: string | undefined,
  text = "",
): Promise<number> {
  const pictures = indexedPicturesIn(text);
  if (pictures.size < PICTURES_PER_WRITE || id === undefined) return pictures.size;
  const [draft] = await ctx.db.draft.findMany({
    where: { id, userId: viewer.id },
    select: { description: true },
  });
  const before = indexedPicturesIn(draft?.description ?? "");
  return [...pictures].filter((picture) => !before.has(picture)).length;
}

async function createDraft(ctx: Ctx, viewer: Viewer, id: string | undefined, changes: Changes) {
  // Only the draft of a post is based on a state of it.
  const { postUpdatedAt: _, ...content } = changes;
  try {
    return await insertDraft(ctx, { ...content, ...(id !== undefined && { id }), userId: viewer.id });
  } catch (error) {
    if (id === undefined || !isRefusedAs("unique", error)) throw error;
    const current = await findDraft(ctx, id);
    if (!current) throw conflict("this id is taken");
    return sameOrConflict(current, changes);
  }
}

/** @throws BAD_USER_INPUT if the account has the most drafts, NOT_FOUND */
function insertDraft(ctx: Ctx, data: { userId: string } & Partial<Draft>): Promise<Draft> {
  return ctx.db.$transaction(async (tx) => {
    if (!(await ctx.locks.lockAccount(tx, data.userId))) throw notFound("user");
    if ((await tx.draft.count({ where: { userId: data.userId } })) >= MAX_DRAFTS)
      throw badInput(`an account has at most ${MAX_DRAFTS} drafts, please delete some`);
    return tx.draft.create({ data: { ...data, createdAt: ctx.now() } });
  });
}

type Replaced = { id: string; userId: string; version: number };

async function replaceDraft(ctx: Ctx, { id, userId, version }: Replaced, changes: Changes): Promise<Draft> {
  const replace = () =>
    ctx.db.draft.updateManyAndReturn({
      where: { id, userId, version },
      data: { ...changes, version: { increment: 1 } },
    });
  const [saved] = await queueIfLong(true, ctx.origin, replace);
  return saved ?? sameOrConflict(await requireDraft(ctx, id), changes);
}

/** @throws CONFLICT unless the draft has these values already, as after a request whose response was lost */
function sameOrConflict(current: Draft, changes: Changes): Draft {
  const names = Object.keys(changes) as (keyof Changes)[];
  const isSame = names.every(
    (name) => changes[name] === undefined || JSON.stringify(changes[name]) === JSON.stringify(current[name]),
  );
  if (isSame) return current;
  throw draftConflict(current);
}

/**
 * The draft of a published post, created with its content if there is none. One that was never changed, of an older
 * state of the post, is replaced.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN, RATE_LIMITED
 */
export function editPost(ctx: Ctx, id: string): Promise<Draft> {
  return asViewer(ctx, async (viewer) => {
    const post = await requireOwnPost(ctx, id, { description: true, tags: true });
    const find = () => ctx.db.draft.findUnique({ where: { postId: post.id } });
    const draft = await find();
    const isUntouched = draft?.version === 1 && draft.postUpdatedAt?.getTime() !== post.updatedAt.getTime();
    if (draft && !isUntouched) return draft;
    return limitTextWrites(ctx, "drafts", async () => {
      if (draft) await ctx.db.draft.deleteMany({ where: { id: draft.id, version: 1 } });
      const { title, description, category, alt, updatedAt } = post;
      const base = { userId: viewer.id, postId: post.id, postUpdatedAt: updatedAt };
      const tags = post.tags.map(({ name }) => name);
      try {
        return await insertDraft(ctx, { ...base, title, description, category, tags, alt });
      } catch (error) {
        if (isRefusedAs("reference", error)) throw notFound("post");
        // A concurrent request has created it.
        if (!isRefusedAs("unique", error)) throw error;
        const created = await find();
        if (created) return created;
        // And another one has deleted or published it.
        throw conflict("this draft has been changed elsewhere");
      }
    });
  });
}

export const draftConflict = (current: Draft) =>
  conflict("this draft has been changed elsewhere", draftStateOf(current));

export const draftStateOf = (draft: Draft) => ({
  id: draft.id,
  version: draft.version,
  title: draft.title,
  description: draft.description,
  category: draft.category,
  tags: draft.tags,
  alt: draft.alt,
  pictureId: draft.pictureId,
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
  const userId = ctx.viewer?.id;
  if (!userId || !isId(id)) return null;
  return queueIfLong(true, ctx.origin, () => ctx.queries.draft(userId, id));
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
export function readDrafts(ctx: ReadCtx, pageArgs: ConnectionArgs, withTexts: boolean) {
  const userId = requireViewer(ctx).id;
  return readConnection<Draft>(
    {
      order: byTime("desc"),
      find: (slice) =>
        queueIfLong(withTexts, ctx.origin, () => ctx.queries.drafts(userId, toTimeSlice(slice), withTexts)),
      count: () => ctx.queries.countDrafts(userId),
    },
    pageArgs,
  );
}

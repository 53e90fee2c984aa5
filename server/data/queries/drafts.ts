import type { Db, Queries } from "../../domain/ports.ts";
import type { Slice } from "../../domain/post-selection.ts";

type DraftQueries = Pick<
  Queries,
  "draft" | "drafts" | "countDrafts" | "uploads" | "preview" | "previewTokens"
>;

export const draftQueries = (db: Db): DraftQueries => ({
  draft: (userId, id) => db.draft.findFirst({ where: { id, userId } }),
  drafts(userId, slice, withTexts) {
    const { where, ...page } = findArgsOf(slice);
    return db.draft.findMany({ ...page, where: { ...where, userId }, omit: { description: !withTexts } });
  },
  countDrafts: (userId) => db.draft.count({ where: { userId } }),
  async preview(token) {
    const link = await db.previewLink.findUnique({ where: { token }, include: { draft: true } });
    return link?.draft ?? null;
  },
  async previewTokens(draftIds) {
    const links = await db.previewLink.findMany({ where: { draftId: { in: [...draftIds] } } });
    return new Map(links.map(({ draftId, token }) => [draftId, token]));
  },
  async uploads(ids) {
    const where = { pictureId: { in: [...ids] } };
    const uploads = await db.upload.findMany({ where, include: { picture: true } });
    return new Map(uploads.map((upload) => [upload.pictureId, upload]));
  },
});

/** The arguments of Prisma's `findMany` for rows sorted by creation time. */
function findArgsOf({ direction, cursor, take, skip }: Slice) {
  const beyond = direction === "asc" ? "gt" : "lt";
  const after = cursor && [
    { createdAt: { [beyond]: cursor.createdAt } },
    { createdAt: cursor.createdAt, id: { [beyond]: cursor.id } },
  ];
  return {
    where: after ? { OR: after } : {},
    orderBy: [{ createdAt: direction }, { id: direction }],
    take,
    skip,
  };
}

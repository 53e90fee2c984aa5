import type { Ctx, Services } from "./context.ts";
import { BlogError } from "../errors.ts";
import { AVIF_WIDTH, PICTURES_PER_ACCOUNT } from "../limits.ts";
import { createKeyedQueues } from "../queue.ts";
import type { Picture } from "./post-selection.ts";
import { requireSession, requireViewer } from "./permissions.ts";
import { isRefusedAs } from "./constraint-errors.ts";

export type { Picture };

/** A picture as it is about to be remembered. */
export type NewPicture = Pick<Picture, "id" | "width" | "height" | "widths" | "placeholder">;

/** One account cannot fill the line for encoding. */
const ofAccount = createKeyedQueues(PICTURES_PER_ACCOUNT);

/**
 * Stores the files first and then lets `remember` write the row: a row never points at nothing.
 * When the row is refused, the files go again; what a crash leaves is swept at the next start.
 * @throws UNAUTHENTICATED, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INSUFFICIENT_STORAGE, and what `remember` throws
 */
export async function savePicture<T>(
  ctx: Ctx,
  bytes: Buffer,
  remember: (picture: NewPicture) => Promise<T>,
): Promise<T> {
  const leave = await ofAccount(requireViewer(ctx).id);
  const picture = await ctx.media.save(bytes, ctx.origin).finally(leave);
  try {
    // Encoding takes its time: the session may have been ended meanwhile.
    await requireSession(ctx.db, requireViewer(ctx));
    return await remember(picture);
  } catch (error) {
    // Only where the row was surely refused: an answer that was lost may have been a yes. The sweep knows later.
    if (isRefusal(error)) await removePicture(ctx, picture.id);
    throw error;
  }
}

const isRefusal = (error: unknown) =>
  error instanceof BlogError ||
  isRefusedAs("unique", error) ||
  isRefusedAs("reference", error) ||
  isRefusedAs("missing", error);

/** Removes the files of a picture whose row is gone. The deed is done: what cannot be removed now is swept later. */
export const removePicture = (ctx: Ctx, id: string) => ctx.media.remove(id).catch(() => undefined);

/** Removes files that no row knows, an hour after they came. @returns how many went, and how many were kept */
export const sweepPictures = ({ db, media }: Services) =>
  media.sweep(async (ids) => {
    const known = await db.picture.findMany({ where: { id: { in: ids } }, select: { id: true } });
    return new Set(known.map((picture) => picture.id));
  });

/** Pictures whose files this process has not found; it looks for them again when it is started anew. */
const withoutFiles = new Set<string>();
/** With more of them the folder is the wrong one. */
const MOST_WITHOUT_FILES = 1_000;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

/**
 * Gives AVIF files to the newest picture that nobody has tried to give them to.
 * @returns whether there was one; what they cannot be made of stays without
 * @throws INSUFFICIENT_STORAGE: it is tried again
 */
export async function addAvif({ db, media }: Services): Promise<boolean> {
  if (withoutFiles.size >= MOST_WITHOUT_FILES) return false;
  const where = { avif: null, id: { notIn: [...withoutFiles] } };
  const picture = await db.picture.findFirst({ where, orderBy: { createdAt: "desc" } });
  if (!picture) return false;
  const { id, widths } = picture;
  const avif = await media.addAvif(id, widths).then(
    () => true,
    (error: unknown) => {
      if (error instanceof BlogError && error.code === "INSUFFICIENT_STORAGE") throw error;
      // A folder that is not there for a while says nothing about the picture.
      return isMissing(error) ? null : false;
    },
  );
  if (avif === null) {
    withoutFiles.add(id);
    return true;
  }
  // It may have been deleted meanwhile.
  await db.picture.updateMany({ where: { id }, data: { avif } });
  return true;
}

/** What a page needs to show a picture: addresses absolute, `srcset` of its WebP widths, and of AVIF if there are. */
export type Image = {
  url: string;
  publicId: string;
  width: number;
  height: number;
  srcset: string;
  avifSrcset: string | null;
  placeholder: string | null;
  alt: string;
};

export function imageOf(ctx: Ctx, picture: Picture, alt: string): Image {
  const { id, width, height, widths, placeholder, avif } = picture;
  const srcsetOf = (format: string, ofWidths: number[]) =>
    ofWidths.map((each) => `${ctx.media.urlOf(id, `${each}.${format}`)} ${each}w`).join(", ");
  const narrow = widths.filter((each) => each <= AVIF_WIDTH);
  const files = {
    srcset: srcsetOf("webp", widths),
    avifSrcset: avif && narrow.length > 0 ? srcsetOf("avif", narrow) : null,
  };
  return { url: ctx.media.urlOf(id, "picture.jpg"), publicId: id, width, height, ...files, placeholder, alt };
}

/** Whoever has chosen no photo gets ours: callers count on a usable address. */
export function photoOf(ctx: Ctx, owner: { username: string; photo: Picture | null }): Image {
  if (owner.photo) return imageOf(ctx, owner.photo, owner.username);
  const shape = {
    width: 256,
    height: 256,
    srcset: "",
    avifSrcset: null,
    placeholder: null,
    alt: owner.username,
  };
  return { url: ctx.media.defaultPhotoUrl, publicId: "default", ...shape };
}

import type { Ctx, ReadCtx, Services } from "./context.ts";
import type { MediaStore, SweepResult } from "./ports.ts";
import { BlogError, StoreUnavailable } from "../errors.ts";
import { AVIF_WIDTH, FIRST_WIDTH, JPEG_WIDTH, PICTURES_PER_ACCOUNT } from "../limits.ts";
import { createKeyedQueues } from "../queue.ts";
import type { Picture } from "./post-selection.ts";
import { requireSession, requireViewer } from "./permissions.ts";
import { isRefusedAs } from "./constraint-errors.ts";

export type { Picture };

export type NewPicture = Pick<Picture, "id" | "width" | "height" | "widths" | "isComplete" | "placeholder">;

/** Limits concurrent uploads per account, so that one account cannot fill the encoding queue. */
const accountQueues = createKeyedQueues(PICTURES_PER_ACCOUNT, "account_pictures");

/**
 * Stores the files before `insert` writes the row, so that a row always has its files. Removes the files if the
 * database rejects the row; `sweepPictures` removes those that a crash leaves.
 * @throws UNAUTHENTICATED, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INSUFFICIENT_STORAGE, and the errors of `insert`
 */
export async function savePicture<T>(
  ctx: Ctx,
  bytes: Buffer,
  insert: (picture: NewPicture) => Promise<T>,
): Promise<T> {
  const release = await accountQueues(requireViewer(ctx).id);
  const picture = await ctx.media.save(bytes, ctx.origin).finally(release);
  try {
    await requireSession(ctx.db, requireViewer(ctx));
    const inserted = await insert(picture);
    // Without it the next run completes the picture.
    if (!picture.isComplete) await ctx.writes.enqueuePictureCompletion().catch(() => undefined);
    return inserted;
  } catch (error) {
    // After a lost connection the row may have been committed: the sweep decides later.
    if (isRefusal(error)) await removePicture(ctx, picture.id);
    throw error;
  }
}

const isRefusal = (error: unknown) =>
  error instanceof BlogError ||
  isRefusedAs("unique", error) ||
  isRefusedAs("reference", error) ||
  isRefusedAs("missing", error);

/** Removes the files of a deleted picture. Ignores errors: the sweep removes the files later. */
export const removePicture = (ctx: Pick<Ctx, "media">, id: string) =>
  ctx.media.remove(id).catch(() => undefined);

const REMOVED_AT_ONCE = 8;

export async function removePictures(ctx: Pick<Ctx, "media">, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += REMOVED_AT_ONCE)
    await Promise.all(ids.slice(at, at + REMOVED_AT_ONCE).map((id) => removePicture(ctx, id)));
}

/** Removes orphaned files that are older than an hour. @returns the numbers of removed and of remaining pictures */
export async function sweepPictures({ db, media, writes }: Services): Promise<SweepResult> {
  const store = await writes.findOwnStore();
  if (!store) return { removed: 0, skipped: 0 };
  return media.sweep(store, async (ids) => {
    const rows = await db.picture.findMany({ where: { id: { in: ids } }, select: { id: true } });
    return new Set(rows.map((picture) => picture.id));
  });
}

/** Ids of pictures whose files this process has not found. A restart tries them again. */
const withoutFiles = new Set<string>();
/** More missing pictures indicate a wrong folder. */
const MAX_WITHOUT_FILES = 1_000;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

const isOfStore = (error: unknown) =>
  error instanceof StoreUnavailable || (error instanceof BlogError && error.code === "INSUFFICIENT_STORAGE");

/** Files of a picture that has been deleted meanwhile are no sign of a wrong folder. */
async function skipUntilRestart({ db }: Services, id: string): Promise<void> {
  if ((await db.picture.count({ where: { id } })) > 0) withoutFiles.add(id);
}

type Unfinished = { isComplete: false } | { isComplete: true; avif: null };

function findNewest({ db }: Services, unfinished: Unfinished) {
  if (withoutFiles.size >= MAX_WITHOUT_FILES) return null;
  const where = { ...unfinished, id: { notIn: [...withoutFiles] } };
  return db.picture.findFirst({ where, orderBy: { createdAt: "desc" } });
}

/**
 * Makes the wide files of the newest picture that lacks them. Until then, and if that fails, pages show its JPEG.
 * @returns whether there was such a picture
 * @throws INSUFFICIENT_STORAGE, StoreUnavailable; the next run tries the picture again
 */
export async function completePicture(services: Services): Promise<boolean> {
  const { db, media, writes } = services;
  const picture = await findNewest(services, { isComplete: false });
  if (!picture) return false;
  const { id } = picture;
  // `updateMany`, since the picture may have been deleted meanwhile.
  const storeWidths = (widths: number[]) =>
    db.picture.updateMany({ where: { id }, data: { widths, isComplete: true } });
  try {
    await media.complete(id, storeWidths);
  } catch (error) {
    if (isOfStore(error)) throw error;
    await skipUntilRestart(services, id);
    return true;
  }
  await writes.outdateHtmlWith(id);
  return true;
}

/**
 * Makes AVIF files for the newest picture that no job has tried yet. A picture that fails to encode gets none.
 * @returns whether there was such a picture
 * @throws INSUFFICIENT_STORAGE, StoreUnavailable; the next run tries the picture again
 */
export async function addAvif(services: Services): Promise<boolean> {
  const { db, media, writes } = services;
  const picture = await findNewest(services, { isComplete: true, avif: null });
  if (!picture) return false;
  const { id, widths } = picture;
  const avif = await media.addAvif(id, widths).then(
    () => true,
    (error: unknown) => {
      if (isOfStore(error)) throw error;
      // Missing files may mean an unmounted folder, so the picture is not marked as failed.
      return isMissing(error) ? null : false;
    },
  );
  if (avif === null) {
    await skipUntilRestart(services, id);
    return true;
  }
  await db.picture.updateMany({ where: { id }, data: { avif } });
  if (avif) await writes.outdateHtmlWith(id);
  return true;
}

/** URLs are absolute. `avifSrcset` lists the AVIF widths, if any. */
export type Image = {
  url: string;
  publicId: string;
  width: number;
  height: number;
  srcset: string;
  avifSrcset: string | null;
  placeholder: string | null;
  alt: string;
  /** Null for the default photo. */
  picture: Picture | null;
};

export type ImageVariant = { url: string; width: number; height: number; format: string };

export function imageOf(ctx: Pick<ReadCtx, "media">, picture: Picture, alt: string): Image {
  const { id, width, height, placeholder } = picture;
  const files = filesOf(picture, ctx.media.urlOf);
  return { ...files, publicId: id, width, height, placeholder, alt, picture };
}

/** The addresses of a picture for `src` and `srcset`. @param urlOf as of the port, or its `pathOf` */
export function filesOf(picture: Picture, urlOf: MediaStore["urlOf"]) {
  const { id, isComplete } = picture;
  const srcsetOf = (format: "webp" | "avif") =>
    widthsOf(picture, format)
      .map((each) => `${urlOf(id, `${each}.${format}`)} ${each}w`)
      .join(", ");
  const url = urlOf(id, "picture.jpg");
  // Until a job has made all widths, the JPEG replaces the wide ones.
  const srcset = isComplete ? srcsetOf("webp") : `${srcsetOf("webp")}, ${url} ${jpegWidthOf(picture)}w`;
  return { url, srcset, avifSrcset: srcsetOf("avif") || null };
}

function widthsOf({ widths, isComplete, avif }: Picture, format: "webp" | "avif"): number[] {
  const widest = format === "avif" ? (avif ? AVIF_WIDTH : 0) : isComplete ? Infinity : FIRST_WIDTH;
  return widths.filter((each) => each <= widest);
}

const jpegWidthOf = ({ widths }: Picture) => Math.min(JPEG_WIDTH, Math.max(...widths));

/** The files of a picture, by format from the narrowest. */
export function variantsOf(
  ctx: Pick<ReadCtx, "media">,
  { url, picture, width, height }: Image,
): ImageVariant[] {
  if (!picture) return [{ url, width, height, format: "png" }];
  const sizeOf = (each: number) => ({
    width: each,
    height: Math.max(1, Math.round((height * each) / width)),
  });
  const inFormat = (format: "webp" | "avif") =>
    widthsOf(picture, format).map((each) => ({
      url: ctx.media.urlOf(picture.id, `${each}.${format}`),
      ...sizeOf(each),
      format,
    }));
  return [...inFormat("avif"), ...inFormat("webp"), { url, ...sizeOf(jpegWidthOf(picture)), format: "jpeg" }];
}

/** The owner's photo or the default photo; never null, as API clients expect. */
export function photoOf(ctx: ReadCtx, owner: { username: string; photo: Picture | null }): Image {
  if (owner.photo) return imageOf(ctx, owner.photo, owner.username);
  const shape = {
    width: 256,
    height: 256,
    srcset: "",
    avifSrcset: null,
    placeholder: null,
    alt: owner.username,
    picture: null,
  };
  return { url: ctx.media.defaultPhotoUrl, publicId: "default", ...shape };
}

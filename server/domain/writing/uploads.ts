import { z } from "zod";
import { badField, notFound } from "../../errors.ts";
import type { Ctx, ReadCtx, Services, Viewer } from "../context.ts";
import { mapConstraintError } from "../constraint-errors.ts";
import { createOnce } from "../idempotency.ts";
import { parseId, parseInput, prose } from "../input.ts";
import { asViewer } from "../permissions.ts";
import { removePictures, savePicture, type NewPicture } from "../pictures.ts";
import type { Upload } from "../ports.ts";
import { readUploadForm, type UploadForm } from "../posts/post-changes.ts";
import { countAdditionalWrites, limitTextWrites, limitWrites } from "../write-limits.ts";
import { LENGTHS } from "../../limits.ts";

/** A picture that an account has uploaded for its texts and covers. */
export type { Upload };

const uploadInput = z.strictObject({ alt: prose(...LENGTHS.alt) });

const withPicture = { picture: true } as const;

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, RATE_LIMITED, CONFLICT as createOnce, and the errors of savePicture */
export function uploadPicture(ctx: Ctx, readForm: () => Promise<UploadForm>): Promise<Upload> {
  return asViewer(ctx, async (viewer) => {
    const { fields, image } = await readUploadForm(ctx, viewer, readForm);
    if (!image) throw badField("image", "no image provided");
    return createOnce<Upload>(ctx, viewer, {
      operation: "uploadPicture",
      parse: () => uploadInput.safeParse(fields).data,
      file: image,
      create: () => createUpload(ctx, viewer, fields, image),
      // A crash may leave an upload without a text, which a job removes after a day.
      find: async () => null,
    });
  });
}

async function createUpload(ctx: Ctx, { id }: Viewer, fields: unknown, image: Buffer): Promise<Upload> {
  const { alt } = parseInput(uploadInput, fields);
  const insert = (picture: NewPicture) =>
    ctx.db.upload
      .create({
        data: { alt, user: { connect: { id } }, picture: { create: picture } },
        include: withPicture,
      })
      .catch(mapConstraintError("missing", () => notFound("user")));
  return limitWrites(ctx, "posts", () => savePicture(ctx, image, insert));
}

/** Posts to be rendered again that count as one more write. */
const POSTS_PER_WRITE = 10;

/**
 * Texts that give no description of their own take the new one when a job renders them.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND for pictures of others too, RATE_LIMITED
 */
export function updatePictureAlt(ctx: Ctx, id: string, fields: unknown): Promise<Upload> {
  return asViewer(ctx, async (viewer) => {
    const pictureId = parseId(id);
    const { alt } = parseInput(uploadInput, fields);
    await limitTextWrites(ctx, "drafts", async () => {
      const changed = await ctx.db.upload.updateMany({
        where: { pictureId, userId: viewer.id },
        data: { alt },
      });
      if (changed.count === 0) throw notFound("picture");
      const posts = await ctx.writes.outdateHtmlWith(pictureId);
      await countAdditionalWrites(ctx, "drafts", Math.floor(posts / POSTS_PER_WRITE));
    });
    const upload = (await findUploads(ctx, [pictureId])).get(pictureId);
    if (!upload) throw notFound("picture");
    return upload;
  });
}

export const findUploads = (ctx: ReadCtx, ids: readonly string[]): Promise<Map<string, Upload>> =>
  ctx.queries.uploads(ids);

/** The picture in Markdown, by an address that does not depend on the site's. */
export function markdownOf({ media }: ReadCtx, { pictureId, alt }: Upload): string {
  const text = alt.replace(/\s+/g, " ").replace(/[\\[\]*_`<&~|!]/g, "\\$&");
  return `![${text}](${media.pathOf(pictureId, "picture.jpg")})`;
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const DAY = 24 * 60 * 60 * 1000;

const BATCH = 200;

/** Deletes uploads that no text and no cover has shown for a day. @returns their number */
export async function removeAbandonedUploads(services: Services): Promise<number> {
  const now = services.now();
  const before = new Date(now.getTime() - DAY);
  let count = 0;
  for (let after: string | null = FIRST_ID; after !== null;) {
    const { removed, last } = await services.writes.deleteAbandonedUploads(
      { after, take: BATCH },
      now,
      before,
    );
    await removePictures(services, removed);
    count += removed.length;
    after = last;
  }
  return count;
}

import type { Ctx } from "./context.ts";
import { badField, notFound } from "../errors.ts";
import { parseInput } from "./input.ts";
import { asViewer } from "./permissions.ts";
import { removePicture, savePicture } from "./pictures.ts";
import { emptyInput, readUploadForm, type UploadForm } from "./posts/post-changes.ts";
import { countPagesOf, publicProfile, tagsOfByline, type Profile } from "./profiles.ts";
import { limitWrites } from "./write-limits.ts";

const PHOTO_CHANGES = 3;

/** Replaces the photo and removes the old files. @throws UNAUTHENTICATED, BAD_USER_INPUT, and the errors of savePicture */
export function uploadProfilePhoto(ctx: Ctx, readForm: () => Promise<UploadForm>): Promise<Profile> {
  return asViewer(ctx, async (viewer) => {
    const { id } = viewer;
    const { fields, image } = await readUploadForm(ctx, viewer, readForm);
    if (!image) throw badField("image", "no file provided");
    parseInput(emptyInput, fields);
    const { profile, oldPhoto } = await limitWrites(ctx, ["posts", "profiles"], () =>
      savePicture(ctx, image, (picture) =>
        ctx.db.$transaction(async (tx) => {
          // The lock makes each of two concurrent uploads remove its predecessor's photo.
          const user = await ctx.locks.lockAccountWithPhoto(tx, id);
          if (!user) throw notFound("user");
          const data = { photo: { create: picture } };
          const profile = await tx.user.update({ where: { id }, data, ...publicProfile });
          if (user.photoId) await tx.picture.deleteMany({ where: { id: user.photoId } });
          return { profile, oldPhoto: user.photoId };
        }),
      ),
    );
    ctx.invalidate(...tagsOfByline(id));
    if (oldPhoto) await removePicture(ctx, oldPhoto);
    await countPagesOf(ctx, id, PHOTO_CHANGES);
    return profile;
  });
}

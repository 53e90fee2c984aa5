import { deleteProfile } from "../domain/profile-deletions.ts";
import { uploadProfilePhoto } from "../domain/profile-photos.ts";
import { readProfile, updateProfile } from "../domain/profiles.ts";
import { queueDetails } from "./endpoint/details-queue.ts";
import { withForm } from "./endpoint/multipart.ts";
import { presentPhoto, presentProfile } from "./present.ts";
import * as operations from "./profiles.operations.ts";
import type { Route } from "./endpoint/routes.ts";

export function profileRoutes(route: Route): void {
  route("GET", "/users/profile/:id", operations.readProfile, ({ ctx, id }) =>
    queueDetails(async () => presentProfile(ctx, await readProfile(ctx, id)), ctx.origin),
  );
  route("PUT", "/users/profile/:id", operations.updateProfile, async ({ ctx, id, body }) =>
    presentProfile(ctx, await updateProfile(ctx, id, body)),
  );
  route("DELETE", "/users/profile/:id", operations.deleteProfile, async ({ ctx, id, body }) => {
    const { message } = await deleteProfile(ctx, id, body);
    return { message };
  });
  const photo = "/users/profile/profile-photo-upload";
  route("POST", photo, operations.uploadProfilePhoto, async ({ ctx, request }) => {
    const profile = await withForm(request, ctx, (form) => uploadProfilePhoto(ctx, form));
    return { message: "your profile photo uploaded successfully", profilePhoto: presentPhoto(ctx, profile) };
  });
}

import { z } from "zod";
import { profileDeletion } from "../domain/profile-deletions.ts";
import { emptyInput } from "../domain/posts/post-changes.ts";
import { profileChanges } from "../domain/profiles.ts";
import type { Operation } from "./endpoint/operations.ts";
import { image, message, profile } from "./shapes.ts";

/** Its code is REAUTHENTICATION_REQUIRED. */
const reauthenticate =
  "you signed in a while ago: send your current password as `currentPassword`, or sign in again";

export const readProfile = {
  name: "profile",
  summary: "An account with everything it wrote",
  who: "everybody",
  effect: "read",
  response: profile,
  refusals: { 404: ["user not found"] },
} satisfies Operation;

export const updateProfile = {
  name: "updateProfile",
  summary: "Change one's own profile",
  details: "A new password ends the other sessions of the account, but not the caller's.",
  who: "user",
  effect: "write",
  body: profileChanges,
  response: profile,
  refusals: {
    403: ["not allowed, only user himself", reauthenticate],
    404: ["user not found"],
    409: ["username already exist"],
  },
} satisfies Operation;

export const deleteProfile = {
  name: "deleteProfile",
  summary: "Delete an account: its owner or an admin",
  details:
    "Posts, pictures, comments, likes and sessions of the account go with it: at once, or within minutes if they are many.",
  who: "user",
  effect: "write",
  body: profileDeletion,
  response: message,
  refusals: {
    403: ["not allowed, only user himself or admin", reauthenticate],
    404: ["user not found"],
    409: ["the last admin cannot be deleted"],
  },
} satisfies Operation;

export const uploadProfilePhoto = {
  name: "uploadProfilePhoto",
  summary: "Give oneself a photo",
  who: "user",
  effect: "write",
  form: emptyInput,
  response: z.strictObject({ ...message.shape, profilePhoto: image }),
  refusals: { 400: ["no file provided"], 404: ["user not found"] },
} satisfies Operation;

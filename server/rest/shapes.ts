import { z } from "zod";
import { statusOf, type ErrorCode } from "../errors.ts";

// Schemas of the REST contract: they type `present.ts`, validate responses in tests and generate the OpenAPI document.

const moment = z.date().meta({ id: "Moment", examples: ["2026-11-21T09:30:00.000Z"] });

export const id = z.guid().meta({
  id: "Id",
  description: "The same string everywhere, also as `id` in GraphQL.",
  examples: ["0193a1c2-7d3e-7b4a-9c58-2f6e1d0a4b37"],
});

const ids = { _id: id, id };
const times = { createdAt: moment, updatedAt: moment };

const variant = z
  .strictObject({
    url: z.url(),
    width: z.int(),
    height: z.int(),
    format: z.enum(["avif", "webp", "jpeg", "png"]),
  })
  .meta({ id: "ImageVariant", description: "A file of a picture." });

export const image = z
  .strictObject({
    url: z.url().describe("Absolute; may be embedded anywhere."),
    publicId: z.string(),
    variants: z
      .array(variant)
      .optional()
      .describe(
        "Its files: of a post or profile that is read alone, and of posts in lists with `variants=true`.",
      ),
  })
  .meta({ id: "Image" });

export const message = z
  .strictObject({ message: z.string().min(1).describe("A sentence to show.") })
  .meta({ id: "Message" });

const codes = Object.keys(statusOf) as [ErrorCode, ...ErrorCode[]];

export const problem = z
  .strictObject({
    message: z.string().min(1).describe("A sentence to show."),
    code: z.enum(codes).describe("For programs."),
    fields: z.record(z.string(), z.string()).optional().describe("One message per field that was refused."),
    requestId: z.string().optional().describe("To be named when a fault of ours is reported."),
  })
  .meta({ id: "Problem" });

export const userSession = z
  .strictObject({
    ...ids,
    username: z.string(),
    email: z.string(),
    isAdmin: z.boolean(),
    profilePhoto: image,
    token: z.string().describe("Send it as `Authorization: Bearer …`; it is shown this once."),
  })
  .meta({ id: "UserSession" });

export const author = z
  .strictObject({ ...ids, username: z.string(), profilePhoto: image })
  .meta({ id: "Author", description: "What a post says of who wrote it." });

export const user = z
  .strictObject({
    ...author.shape,
    email: z.string().nullable().describe("For the account itself and for admins, else null."),
    bio: z.string().nullable(),
    isAdmin: z.boolean(),
    isAccountVerified: z.boolean(),
    ...times,
  })
  .meta({ id: "User" });

export const likes = z.array(id).describe("Who likes it, earliest first.");

export const changedPost = z
  .strictObject({
    ...ids,
    title: z.string(),
    description: z.string().describe("The text, in a small Markdown."),
    category: z.string().describe("The title of its category; kept when the category is deleted."),
    tags: z.array(z.string()).describe("Free words, in the author's order."),
    image,
    user: id.describe("The author's id."),
    likes,
    ...times,
  })
  .meta({ id: "ChangedPost", description: "A post that names its author by id." });

export const post = z.strictObject({ ...changedPost.shape, user: author }).meta({ id: "Post" });

export const comment = z
  .strictObject({
    ...ids,
    postId: id,
    user: id.describe("The commenter's id."),
    username: z.string().describe("The commenter's name of today."),
    text: z.string(),
    ...times,
  })
  .meta({ id: "Comment" });

export const commentWithUser = z.strictObject({ ...comment.shape, user }).meta({ id: "CommentWithUser" });

export const postFull = z
  .strictObject({ ...post.shape, comments: z.array(comment).describe("Oldest first.") })
  .meta({ id: "PostFull" });

export const profile = z
  .strictObject({ ...user.shape, posts: z.array(changedPost).describe("Newest first.") })
  .meta({ id: "Profile" });

export const category = z
  .strictObject({ ...ids, title: z.string(), user: id.nullable(), ...times })
  .meta({ id: "Category" });

export const deletion = z
  .strictObject({ ...ids, type: z.enum(["Post", "Comment", "Category", "Profile"]), deletedAt: moment })
  .meta({ id: "Deletion", description: "A deleted object." });

export const count = z.int().min(0).describe("A bare number.");

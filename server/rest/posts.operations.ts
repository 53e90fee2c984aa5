import { z } from "zod";
import { emptyInput, postChanges, postInput } from "../domain/posts/post-changes.ts";
import { isoDateTime, pageQuery } from "./endpoint/pages.ts";
import type { Operation } from "./endpoint/operations.ts";
import { changedPost, count, id, message, post, postFull } from "./shapes.ts";

/** `pageNumber` overrides all others. */
export const postsQuery = pageQuery.extend({
  pageNumber: z
    .string()
    .refine((text) => /^[1-9]\d*$/.test(text), "must be a positive whole number")
    .meta({ type: "integer", minimum: 1, description: "One page of three; past the end it is empty." })
    .optional(),
  category: z.string().describe("Only posts of this category title.").optional(),
  search: z.string().describe("Only posts with these words in title or text.").optional(),
  variants: z
    .enum(["true"], { error: 'must be "true"' })
    .describe("Each picture with all its files, as `image.variants`.")
    .optional(),
  updatedAfter: isoDateTime
    .describe(
      "Only posts that have changed since, in the order of their changes: for clients that keep a copy.",
    )
    .optional(),
});

export const listPosts = {
  name: "posts",
  summary: "Posts, newest first",
  details:
    "A page where one is asked for by `pageNumber`, `limit`, `after`, `search` or `updatedAfter`, else all of them or all of a category, streamed.",
  who: "everybody",
  effect: "read",
  query: postsQuery,
  response: z.array(post),
  headers: ["X-Total-Count", "Link", "X-End-Cursor"],
  refusals: { 400: ['"pageNumber" must be a positive whole number', '"category" is given more than once'] },
} satisfies Operation;

export const countPosts = {
  name: "postsCount",
  summary: "How many posts there are",
  who: "everybody",
  effect: "read",
  response: count,
} satisfies Operation;

export const readPost = {
  name: "post",
  summary: "One post with its author and its comments",
  who: "everybody",
  effect: "read",
  response: postFull,
  refusals: { 404: ["post not found"] },
} satisfies Operation;

export const createPost = {
  name: "createPost",
  summary: "Write a post",
  who: "user",
  effect: "write",
  form: postInput,
  status: 201,
  response: changedPost,
  refusals: {
    400: ["no image provided", '"category" must be an existing category'],
    // The account was deleted during the request.
    404: ["user not found"],
  },
} satisfies Operation;

const refusals = { 403: ["access denied, you are not allowed"], 404: ["post not found"] };

export const updatePost = {
  name: "updatePost",
  summary: "Change a post of one's own",
  details: "The category may stay one that has been deleted since.",
  who: "user",
  effect: "write",
  body: postChanges,
  response: postFull,
  refusals: { 400: ['"category" must be an existing category'], ...refusals },
} satisfies Operation;

export const updatePostImage = {
  name: "updatePostImage",
  summary: "Give a post of one's own another picture",
  who: "user",
  effect: "write",
  form: emptyInput,
  response: changedPost,
  refusals: { 400: ["no image provided"], ...refusals },
} satisfies Operation;

export const deletePost = {
  name: "deletePost",
  summary: "Delete a post: its author or an admin",
  details: "Its comments, likes and picture go with it.",
  who: "user",
  effect: "write",
  response: z.strictObject({ ...message.shape, postId: id }),
  refusals: { 403: ["access denied, forbidden"], 404: ["post not found"] },
} satisfies Operation;

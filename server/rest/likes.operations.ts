import type { Operation } from "./endpoint/operations.ts";
import { changedPost } from "./shapes.ts";

export const toggleLike = {
  name: "toggleLike",
  summary: "Like a post, or take the like back",
  details: "`PUT` and `DELETE /posts/{id}/likes/me` may be repeated.",
  who: "user",
  effect: "write",
  response: changedPost,
  refusals: { 404: ["post not found"] },
} satisfies Operation;

const refusals = { 400: ["invalid id"], 404: ["post not found"] };

export const likePost = {
  name: "likePost",
  summary: "Like a post",
  details: "It stays liked however often it is requested.",
  who: "user",
  effect: "write",
  response: changedPost,
  refusals,
} satisfies Operation;

export const unlikePost = {
  name: "unlikePost",
  summary: "Take a like back",
  who: "user",
  effect: "write",
  response: changedPost,
  refusals,
} satisfies Operation;

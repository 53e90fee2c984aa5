import type { Operation } from "./endpoint/operations.ts";
import { changedPost } from "./shapes.ts";

export const toggleLike = {
  name: "toggleLike",
  summary: "Like a post, or take the like back",
  who: "user",
  effect: "write",
  answer: changedPost,
  refusals: { 404: ["post not found"] },
} satisfies Operation;

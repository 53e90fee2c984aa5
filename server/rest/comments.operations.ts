import { z } from "zod";
import { commentInput, commentText } from "../domain/comments.ts";
import { pageQuery } from "./endpoint/pages.ts";
import type { Operation } from "./endpoint/operations.ts";
import { comment, commentWithUser, message } from "./shapes.ts";

export const listComments = {
  name: "comments",
  summary: "Everybody's comments, newest first",
  details: "A page where `limit` or `after` asks for one, else all, streamed.",
  who: "admin",
  effect: "read",
  query: pageQuery,
  response: z.array(commentWithUser),
  headers: ["X-Total-Count", "Link", "X-End-Cursor"],
} satisfies Operation;

export const createComment = {
  name: "createComment",
  summary: "Comment on a post",
  who: "user",
  effect: "write",
  body: commentInput,
  status: 201,
  response: comment,
  refusals: { 400: ['"text" is not allowed to be empty'], 404: ["post not found"] },
} satisfies Operation;

export const updateComment = {
  name: "updateComment",
  summary: "Change a comment of one's own",
  who: "user",
  effect: "write",
  body: commentText,
  response: comment,
  refusals: {
    403: ["access denied, only user himself can edit his comment"],
    404: ["comment not found"],
  },
} satisfies Operation;

export const deleteComment = {
  name: "deleteComment",
  summary: "Delete a comment: its author or an admin",
  who: "user",
  effect: "write",
  response: message,
  refusals: { 403: ["access denied, not allowed"], 404: ["comment not found"] },
} satisfies Operation;

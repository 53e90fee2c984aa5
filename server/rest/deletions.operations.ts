import { z } from "zod";
import { isoDateTime, pageQuery } from "./endpoint/pages.ts";
import type { Operation } from "./endpoint/operations.ts";
import { deletion } from "./shapes.ts";

export const deletionsQuery = pageQuery.extend({
  since: isoDateTime.describe("Only what was deleted later; 90 days ago at most."),
});

export const listDeletions = {
  name: "deletions",
  summary: "Deletions, earliest first, for clients that store copies",
  details: "Posts, comments, categories and accounts. Stored for 90 days.",
  who: "everybody",
  effect: "read",
  query: deletionsQuery,
  response: z.array(deletion),
  headers: ["X-Total-Count", "Link", "X-End-Cursor"],
  refusals: { 400: ['"since" is required', '"since" must be a date and time in ISO 8601'] },
} satisfies Operation;

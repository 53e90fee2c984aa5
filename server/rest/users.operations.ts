import { z } from "zod";
import { pageQuery } from "./endpoint/pages.ts";
import type { Operation } from "./endpoint/operations.ts";
import { count, user } from "./shapes.ts";

export const listUsers = {
  name: "users",
  summary: "Every account, newest first",
  details: "A page where `limit` or `after` asks for one, else all, streamed.",
  who: "admin",
  effect: "read",
  query: pageQuery,
  response: z.array(user),
  headers: ["X-Total-Count", "Link", "X-End-Cursor"],
} satisfies Operation;

export const countUsers = {
  name: "usersCount",
  summary: "How many accounts there are",
  who: "admin",
  effect: "read",
  response: count,
} satisfies Operation;

import { z } from "zod";
import type { Operation } from "./endpoint/operations.ts";
import { count, user } from "./shapes.ts";

export const listUsers = {
  name: "users",
  summary: "Every account, newest first",
  details: "Streamed.",
  who: "admin",
  effect: "read",
  answer: z.array(user),
  headers: ["X-Total-Count"],
} satisfies Operation;

export const countUsers = {
  name: "usersCount",
  summary: "How many accounts there are",
  who: "admin",
  effect: "read",
  answer: count,
} satisfies Operation;

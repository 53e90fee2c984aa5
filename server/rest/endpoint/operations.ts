import type { z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "DELETE";
type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503 | 507;
type Refusals = Partial<Record<RefusalStatus, string[]>>;

/** What a call takes, answers and refuses: the document of the API is written from it, so no route is without one. */
export type Operation<Answer extends z.ZodType = z.ZodType> = {
  /** As in GraphQL, where it has a twin there. */
  name: string;
  summary: string;
  /** Rules that the shapes do not tell, in Markdown. */
  details?: string;
  /** Finer rights, such as an author's, stand among the refusals. */
  who: "everybody" | "user" | "admin";
  query?: z.ZodObject;
  /** JSON; may be left out where each of its parts may. */
  body?: z.ZodObject;
  /** A multipart form of these fields and a picture. */
  form?: z.ZodObject;
  status?: 201;
  answer: Answer;
  headers?: (keyof typeof listHeaders)[];
  /** In their very words, beside those that every call of its kind knows. */
  refusals?: Refusals;
};

export type Described = Operation & { method: Method; path: string };

export const listHeaders = {
  "X-Total-Count": { description: "How many there are in all.", schema: { type: "integer" } },
  Link: {
    description: "The `first`, `prev`, `next` and `last` page (RFC 8288).",
    schema: { type: "string" },
  },
};

export const tooManyAttempts = "too many attempts, please try again in 60 minutes";

/** Every refusal by its status, in ascending order, the operation's own words first. */
export function refusalsOf(operation: Described): [RefusalStatus, string[]][] {
  const [usual, own] = [usualRefusals(operation), operation.refusals ?? {}];
  const statuses = Object.keys({ ...usual, ...own }).map((status) => Number(status) as RefusalStatus);
  return statuses.map((status) => [status, [...(own[status] ?? []), ...(usual[status] ?? [])]]);
}

/** What a call may be refused for by the way it is made, whatever it is about. */
const usualRefusals = ({ method, path, who, body, form }: Described): Refusals => ({
  400: [
    ...(path.endsWith("/:id") ? ["invalid id"] : []),
    body ? "the body is not valid JSON" : "the address is not well formed",
  ],
  ...(who !== "everybody" && { 401: ["no token provided, access denied", "invalid token, access denied"] }),
  ...(who === "admin" && { 403: ["not allowed, only admin"] }),
  ...(who === "user" && method !== "GET" && { 429: ["too many attempts, please try again in 10 minutes"] }),
  ...(method !== "GET" && { 413: [...(form ? ["File too large"] : []), "the body is too large"] }),
  ...(body && { 415: ["send the body as application/json"] }),
  ...(form && {
    415: ["Unsupported file format"],
    507: ["there is no room for pictures left, please tell the administrator"],
  }),
  500: ["something went wrong on our side, please try again"],
  503: ["the database is not available, please try again shortly"],
});

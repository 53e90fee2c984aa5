import type { z } from "zod";
import type { Effect } from "../../domain/context.ts";
import { databaseFull, storageFull } from "../../errors.ts";
import { rateLimitHeaderNames } from "../../http/rate-limit-headers.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";
type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503 | 507;
type Refusals = Partial<Record<RefusalStatus, string[]>>;

/** Input, output and errors of a route. The OpenAPI document is generated from it. */
export type Operation<Output extends z.ZodType = z.ZodType, Does extends Effect = Effect> = {
  /** The name of the equivalent GraphQL field, if there is one. */
  name: string;
  summary: string;
  /** Markdown: rules that the schemas do not express. */
  details?: string;
  /** Finer rules, such as an author's rights, are among the refusals. */
  who: "everybody" | "user" | "admin";
  /** Decides the context, not the method: `GET /auth/:id/verify/:token` writes. */
  effect: Does;
  query?: z.ZodObject;
  /** JSON; optional where all its fields are. */
  body?: z.ZodObject;
  /** Multipart fields beside the picture. */
  form?: z.ZodObject;
  status?: 201;
  response: Output;
  headers?: (keyof typeof listHeaders)[];
  /** The exact messages, beside those of usualRefusals. */
  refusals?: Refusals;
};

export type Described = Operation & { method: Method; path: string };

export const listHeaders = {
  "X-Total-Count": { description: "How many there are in all.", schema: { type: "integer" } },
  Link: {
    description:
      "The `first`, `prev`, `next` and `last` page (RFC 8288); of pages by cursor the `first` and the `next`.",
    schema: { type: "string" },
  },
  "X-End-Cursor": {
    description:
      "The cursor of the last row of a page by `limit` or `after`: send it as `after` to continue.",
    schema: { type: "string" },
  },
};

export const ignoredParameters = {
  description: "The query parameters that this operation does not know, ten at most.",
  schema: { type: "string" },
};

const [policy, state, limit, remaining, reset] = rateLimitHeaderNames;
const seconds = { type: "integer", minimum: 0 };

/** The rate limit that the caller is nearest to; absent for operations without a limit. */
export const limitHeaders = {
  [policy]: {
    description: "The rate limit: its name, `q` requests in `w` seconds.",
    schema: { type: "string", examples: ['"comments";q=300;w=600'] },
  },
  [state]: {
    description: "What is left of it: `r` requests for the next `t` seconds.",
    schema: { type: "string", examples: ['"comments";r=299;t=600'] },
  },
  [limit]: { description: "`q`, as older versions of the draft have it.", schema: seconds },
  [remaining]: { description: "`r`, as older versions of the draft have it.", schema: seconds },
  [reset]: { description: "`t`, as older versions of the draft have it.", schema: seconds },
};

export const tooManyAttempts = "too many attempts, please try again in 60 minutes";

/** Messages by ascending status, the operation's own first. */
export function refusalsOf(operation: Described): [RefusalStatus, string[]][] {
  const [usual, own] = [usualRefusals(operation), operation.refusals ?? {}];
  const statuses = Object.keys({ ...usual, ...own }).map((status) => Number(status) as RefusalStatus);
  return statuses.map((status) => [status, [...(own[status] ?? []), ...(usual[status] ?? [])]]);
}

/** Whether requests may have an Idempotency-Key. */
export const isCreation = ({ status, who }: Pick<Described, "status" | "who">) =>
  status === 201 && who !== "everybody";

const usualRefusals = ({ method, path, who, body, form, status }: Described): Refusals => ({
  400: [
    ...(path.endsWith("/:id") ? ["invalid id"] : []),
    body ? "the body is not valid JSON" : "the address is not well formed",
  ],
  ...(who !== "everybody" && { 401: ["no token provided, access denied", "invalid token, access denied"] }),
  ...(who === "admin" && { 403: ["not allowed, only admin"] }),
  ...(who === "user" && method !== "GET" && { 429: ["too many attempts, please try again in 10 minutes"] }),
  ...(isCreation({ status, who }) && {
    409: [
      "this Idempotency-Key was used for another request",
      "a request with this Idempotency-Key is still running",
    ],
  }),
  ...(method !== "GET" && { 413: [...(form ? ["File too large"] : []), "the body is too large"] }),
  ...(method !== "GET" && {
    415: [body ? "send the body as application/json" : "this type of body is not supported"],
  }),
  ...(form && { 415: ["Unsupported file format"] }),
  ...(method !== "GET" && {
    507: [databaseFull, ...(form ? [storageFull] : [])].map((full) => full(null).message),
  }),
  500: ["something went wrong on our side, please try again"],
  503: ["the database is not available, please try again shortly"],
});

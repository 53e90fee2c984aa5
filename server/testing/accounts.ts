import type { Contexts, Ctx } from "../domain/context.ts";
import { finishDeferredWork } from "../domain/deferred-work.ts";
import { hashPassword } from "../domain/accounts/passwords.ts";
import { PASSWORD, type TestResponse, type TestApp } from "./app.ts";
import { createUser } from "./factories.ts";

export const VERIFY_MESSAGE = "We sent to you an email, please verify your email address";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const after = (milliseconds: number) => () => new Date(Date.now() + milliseconds);

/** The context of a visitor, unless `traits` overrides it. */
export const ctxOf = (blog: Pick<TestApp, "services">, traits: Partial<Ctx> = {}): Ctx => ({
  ...blog.services,
  viewer: null,
  session: traits.viewer ? "active" : "none",
  origin: "203.0.113.7",
  isLocal: () => false,
  isCrossSite: false,
  requestId: "test",
  userAgent: null,
  idempotencyKey: null,
  quotas: new Map(),
  unqueuedDb: traits.db ?? blog.services.db,
  ...traits,
});

export function contextsOf(blog: Pick<TestApp, "services">): Contexts {
  const ctx = ctxOf(blog);
  return { ...ctx, read: () => ctx, write: () => ctx };
}

/** An account with `PASSWORD` and no session. */
export const createAccount = async (
  { db }: Pick<TestApp, "db">,
  traits: Parameters<typeof createUser>[1] = {},
) => createUser(db, { passwordHash: await hashPassword(PASSWORD), ...traits });

let origins = 0;

/** A new address of 198.18.0.0/15. Test files in one worker share the counter, and all together need more than 255. */
export function nextOrigin(): string {
  origins++;
  return `198.${18 + (origins >> 16)}.${(origins >> 8) & 255}.${origins & 255}`;
}

export type Caller = ReturnType<typeof callerOf>;

/** Sends requests to /api from an IP address of its own, since rate limits count by address. */
export function callerOf(blog: Pick<TestApp, "send">, remoteAddress = nextOrigin()) {
  return async (
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: object | null,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    return blog.send(method, `/api${path}`, null, body, { ...json, ...headers }, remoteAddress);
  };
}

export async function emailsTo({ db }: Pick<TestApp, "db">, recipient: string) {
  await finishDeferredWork();
  return db.email.findMany({ where: { recipient }, orderBy: { id: "asc" } });
}

export const emailKindsTo = async (blog: Pick<TestApp, "db">, recipient: string) =>
  (await emailsTo(blog, recipient)).map(({ kind }) => kind);

/** Parses the link of the latest email of a kind. @returns its parts, and the request to /api that its page sends */
export async function linkTo(blog: Pick<TestApp, "db">, recipient: string, kind: "verify" | "reset") {
  const text = (await emailsTo(blog, recipient)).findLast((email) => email.kind === kind)?.text ?? "";
  const pattern = kind === "verify" ? /\/users\/([^/]+)\/verify\/(\S+)/ : /\/reset-password\/([^/]+)\/(\S+)/;
  const [path, userId, token] = pattern.exec(text) ?? [];
  if (!path || !userId || !token) throw new Error(`no ${kind} link was sent to ${recipient}`);
  const api =
    kind === "verify" ? `/auth/${userId}/verify/${token}` : `/password/reset-password/${userId}/${token}`;
  return { userId, token, api, url: `http://blog.test${path}` };
}

/** A viewer whose session is never checked again. */
export const uncheckedViewer = (id: string, isAdmin = false) => ({
  ...{ id, sessionId: id, isAdmin, signedInAt: new Date(), authenticatedAt: Infinity },
});

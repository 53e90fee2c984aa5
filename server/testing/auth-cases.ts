import { hashToken } from "../domain/accounts/tokens.ts";
import type { ErrorCode } from "../errors.ts";
import { links } from "./account-pair.ts";
import { HOUR } from "./accounts.ts";
import type { TestApp } from "./app.ts";
import { createLike } from "./factories.ts";
import { seed, ids, tokens } from "./parity.ts";

/** Maya is the author of the requested object, Noor another user, Ada an admin. */
const validCases = ["visitor", "other", "author", "admin"] as const;
/** Invalid tokens: public operations treat them as visitors, others refuse them with a message of their own. */
export const invalidTokenCases = ["deleted", "expired", "tampered", "garbage"] as const;
export const authCases = [...validCases, ...invalidTokenCases];
export type AuthCase = (typeof authCases)[number];

/** Seeds a blog and returns a token per case; `deleted` is the token of a deleted account. */
export async function seedForAuthCases(blog: TestApp): Promise<Record<AuthCase, string | null>> {
  await seed(blog);
  const gone = await blog.signUp({ username: "Gone" });
  await blog.rest("DELETE", `/users/profile/${gone.id}`, gone.token);
  await restoreSeed(blog);
  return {
    ...{ visitor: null, other: tokens.noor, author: tokens.maya, admin: tokens.ada },
    ...{ deleted: gone.token, expired: tokens.expired, tampered: `${tokens.maya}x`, garbage: tokens.bad },
  };
}

/** Restores the seed: people and posts, email tokens and likes. */
export async function restoreSeed(blog: TestApp): Promise<void> {
  await seed(blog);
  await blog.db.$transaction(async (tx) => {
    await tx.email.deleteMany();
    await tx.throttle.deleteMany();
    await createLike(tx, { postId: ids.liked, userId: ids.ada });
    const expiresAt = new Date(Date.now() + HOUR);
    for (const [purpose, token, userId] of [
      ["VERIFY", links.verify, ids.unverified],
      ["RESET", links.reset, ids.maya],
    ] as const)
      await tx.mailToken.create({ data: { purpose, userId, tokenHash: hashToken(token), expiresAt } });
  });
}

export type Refusal = { code: ErrorCode; message: string };
/** The refusal for each case; all others are allowed. */
export type Rule = Partial<Record<AuthCase, Refusal>>;

const noToken: Refusal = { code: "UNAUTHENTICATED", message: "no token provided, access denied" };
const invalidToken: Refusal = { code: "UNAUTHENTICATED", message: "invalid token, access denied" };
const forbidden = (message: string): Refusal => ({ code: "FORBIDDEN", message });
const onlyAdmin = forbidden("not allowed, only admin");

export const everybody: Rule = {};
export const users: Rule = {
  visitor: noToken,
  ...Object.fromEntries(invalidTokenCases.map((bearer) => [bearer, invalidToken])),
};
/** Not even an admin can see sessions and drafts of others. */
export const owner = (noun: "session" | "draft" | "picture"): Rule => {
  const missing: Refusal = { code: "NOT_FOUND", message: `${noun} not found` };
  return { ...users, other: missing, admin: missing };
};
export const admins: Rule = { ...users, other: onlyAdmin, author: onlyAdmin };
export const author = (message: string): Rule => ({
  ...users,
  other: forbidden(message),
  admin: forbidden(message),
});
export const authorAndAdmins = (message: string): Rule => ({ ...users, other: forbidden(message) });
/** For comments, which the author of the post may not change. */
export const allButPostsAuthor = (message: string): Rule => ({ ...users, author: forbidden(message) });

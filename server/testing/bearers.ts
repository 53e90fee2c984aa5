import { hashToken } from "../domain/accounts/tokens.ts";
import type { ErrorCode } from "../errors.ts";
import { links } from "./account-twins.ts";
import { HOUR } from "./accounts.ts";
import type { TestApp } from "./app.ts";
import { createLike } from "./factories.ts";
import { seed, ids, tokens } from "./parity.ts";

/** Everybody who may call: Noor is somebody else, Maya owns what is called for, Ada is an admin. */
const living = ["visitor", "other", "author", "admin"] as const;
/** Whose tokens count no more: they read as a visitor does, and are told so. */
export const dead = ["deleted", "expired", "tampered", "garbage"] as const;
export const authCases = [...living, ...dead];
export type Bearer = (typeof authCases)[number];

/** Fills a blog and gives each bearer its token; `deleted` is that of an account that was there before. */
export async function furnishForBearers(blog: TestApp): Promise<Record<Bearer, string | null>> {
  await seed(blog);
  const gone = await blog.signUp({ username: "Gone" });
  await blog.rest("DELETE", `/users/profile/${gone.id}`, gone.token);
  await refurnish(blog);
  return {
    ...{ visitor: null, other: tokens.noor, author: tokens.maya, admin: tokens.ada },
    ...{ deleted: gone.token, expired: tokens.expired, tampered: `${tokens.maya}x`, garbage: tokens.bad },
  };
}

/** Puts everything back: people and their posts, links in letters, and a like of everybody. */
export async function refurnish(blog: TestApp): Promise<void> {
  await seed(blog);
  await blog.db.$transaction(async (tx) => {
    await tx.letter.deleteMany();
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
/** Who is refused, and in which words; whoever is not named may. */
export type Rule = Partial<Record<Bearer, Refusal>>;

const noToken: Refusal = { code: "UNAUTHENTICATED", message: "no token provided, access denied" };
const deadToken: Refusal = { code: "UNAUTHENTICATED", message: "invalid token, access denied" };
const forbidden = (message: string): Refusal => ({ code: "FORBIDDEN", message });
const onlyAdmin = forbidden("not allowed, only admin");

/** What the bearers of a kind are allowed. */
export const everybody: Rule = {};
export const users: Rule = {
  visitor: noToken,
  ...Object.fromEntries(dead.map((bearer) => [bearer, deadToken])),
};
const noSession: Refusal = { code: "NOT_FOUND", message: "session not found" };
/** Nobody learns of others' sessions, an admin neither. */
export const ownSession: Rule = { ...users, other: noSession, admin: noSession };
export const admins: Rule = { ...users, other: onlyAdmin, author: onlyAdmin };
export const author = (message: string): Rule => ({
  ...users,
  other: forbidden(message),
  admin: forbidden(message),
});
export const authorAndAdmins = (message: string): Rule => ({ ...users, other: forbidden(message) });
/** Not even the author of the post below which somebody else's comment stands. */
export const allButPostsAuthor = (message: string): Rule => ({ ...users, author: forbidden(message) });

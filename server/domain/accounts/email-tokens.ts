import type { Ctx, ReadCtx } from "../context.ts";
import { badInput } from "../../errors.ts";
import type { MailPurpose } from "../../generated/prisma/enums.ts";
import { createBulkhead } from "../../queue.ts";
import { isId } from "../input.ts";
import { hashToken, newToken } from "./tokens.ts";
import type { Tx } from "../ports.ts";

const HOUR = 60 * 60 * 1000;
export const LINK_LIFETIMES = { VERIFY: 24 * HOUR, RESET: HOUR };

type Link = { userId: string; token: string };

/**
 * Issues a token. It revokes an older reset token. Older verification tokens stay valid, since a user who requests
 * another email may open the first one.
 * @returns null if the account has been deleted meanwhile
 */
export async function issueToken(
  ctx: Ctx,
  tx: Tx,
  purpose: MailPurpose,
  userId: string,
): Promise<string | null> {
  const token = newToken();
  // The lock serializes concurrent requests, so that each one revokes its predecessor's token.
  if (!(await ctx.locks.lockAccount(tx, userId))) return null;
  if (purpose === "RESET") await tx.mailToken.deleteMany({ where: { userId, purpose } });
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + LINK_LIFETIMES[purpose]);
  await tx.mailToken.create({ data: { purpose, userId, tokenHash: hashToken(token), createdAt, expiresAt } });
  return token;
}

/** Makes as many statements as `issueToken`: on a busy server each takes time that strangers can measure. */
export async function removeExpiredTokens(ctx: Ctx, tx: Tx, userId: string): Promise<void> {
  await ctx.locks.lockAccount(tx, userId);
  await tx.mailToken.deleteMany({ where: { userId, expiresAt: { lt: ctx.now() } } });
}

const whereValid = (ctx: Ctx, purpose: MailPurpose, { userId, token }: Link) => ({
  purpose,
  userId,
  tokenHash: hashToken(token),
  expiresAt: { gt: ctx.now() },
});

export const queueLinks = createBulkhead("links");

/** A cheap check before any lock, against guessed links. @throws BAD_USER_INPUT */
export async function refuseInvalidLink(ctx: Ctx, purpose: MailPurpose, link: Link): Promise<void> {
  refuseMalformed(link);
  if ((await ctx.db.mailToken.count({ where: whereValid(ctx, purpose, link) })) === 0)
    throw badInput("invalid link");
}

/** Revokes the account's other links. The used link stays valid, since mail scanners open links too. @throws BAD_USER_INPUT */
export async function requireVerifyLink(ctx: Ctx, tx: Tx, link: Link): Promise<void> {
  await ctx.locks.lockAccount(tx, link.userId);
  const { count } = await tx.mailToken.updateMany({
    where: whereValid(ctx, "VERIFY", link),
    data: { usedAt: ctx.now() },
  });
  if (count === 0) throw badInput("invalid link");
  const others = {
    purpose: "VERIFY",
    userId: link.userId,
    tokenHash: { not: hashToken(link.token) },
  } as const;
  await tx.mailToken.deleteMany({ where: others });
}

/** @throws UNAVAILABLE */
export const isValidResetToken = async (ctx: ReadCtx, { userId, token }: Link): Promise<boolean> =>
  isId(userId) && queueLinks(() => ctx.queries.hasResetToken(userId, hashToken(token)), ctx.origin);

/** The conditional update lets only one of several concurrent requests succeed. @throws BAD_USER_INPUT */
export async function consumeResetToken(ctx: Ctx, tx: Tx, link: Link): Promise<void> {
  refuseMalformed(link);
  await ctx.locks.lockAccount(tx, link.userId);
  const { count } = await tx.mailToken.updateMany({
    where: { ...whereValid(ctx, "RESET", link), usedAt: null },
    data: { usedAt: ctx.now() },
  });
  if (count === 0) throw badInput("invalid link");
}

function refuseMalformed({ userId }: Link): void {
  if (!isId(userId)) throw badInput("invalid link");
}

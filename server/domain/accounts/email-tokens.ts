import type { Ctx } from "../context.ts";
import { badInput } from "../../errors.ts";
import type { MailPurpose } from "../../generated/prisma/enums.ts";
import { isId } from "../input.ts";
import { hashToken, newToken } from "./tokens.ts";
import type { Tx } from "../ports.ts";

const HOUR = 60 * 60 * 1000;
const lifetimes = { VERIFY: 24 * HOUR, RESET: HOUR };

type Link = { userId: string; token: string };

/**
 * Makes the token of a fresh link. An older reset link ends; older verify links stay good, since whoever asks for
 * another letter may open the first.
 * @returns null when the account has gone meanwhile
 */
export async function findToken(
  ctx: Ctx,
  tx: Tx,
  purpose: MailPurpose,
  userId: string,
): Promise<string | null> {
  const token = newToken();
  // Of several asked for at once each sees the one before it, and ends it.
  if (!(await ctx.locks.lockAccount(tx, userId))) return null;
  if (purpose === "RESET") await tx.mailToken.deleteMany({ where: { userId, purpose } });
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + lifetimes[purpose]);
  await tx.mailToken.create({ data: { purpose, userId, tokenHash: hashToken(token), createdAt, expiresAt } });
  return token;
}

const whereGood = (ctx: Ctx, purpose: MailPurpose, { userId, token }: Link) => ({
  purpose,
  userId,
  tokenHash: hashToken(token),
  expiresAt: { gt: ctx.now() },
});

/** Before anything is locked: whoever tries links at random costs one look. @throws BAD_USER_INPUT */
export async function refuseUnknownLink(ctx: Ctx, purpose: MailPurpose, link: Link): Promise<void> {
  refuseMalformed(link);
  if ((await ctx.db.mailToken.count({ where: whereGood(ctx, purpose, link) })) === 0)
    throw badInput("invalid link");
}

/** A verify link stays good after its use: mail scanners and browsers call twice. The others end. @throws BAD_USER_INPUT */
export async function requireVerifyLink(ctx: Ctx, tx: Tx, link: Link): Promise<void> {
  await ctx.locks.lockAccount(tx, link.userId);
  const { count } = await tx.mailToken.updateMany({
    where: whereGood(ctx, "VERIFY", link),
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

/** Whether a reset link could still be used. */
export async function isGoodResetLink(ctx: Ctx, link: Link): Promise<boolean> {
  if (!isId(link.userId)) return false;
  const where = { ...whereGood(ctx, "RESET", link), usedAt: null };
  return (await ctx.db.mailToken.count({ where })) === 1;
}

/** Uses a reset link up: of many tries at once, one conditional update lets one through. @throws BAD_USER_INPUT */
export async function consumeResetToken(ctx: Ctx, tx: Tx, link: Link): Promise<void> {
  refuseMalformed(link);
  await ctx.locks.lockAccount(tx, link.userId);
  const { count } = await tx.mailToken.updateMany({
    where: { ...whereGood(ctx, "RESET", link), usedAt: null },
    data: { usedAt: ctx.now() },
  });
  if (count === 0) throw badInput("invalid link");
}

function refuseMalformed({ userId }: Link): void {
  if (!isId(userId)) throw badInput("invalid link");
}

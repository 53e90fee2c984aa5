import { z } from "zod";
import type { Ctx, ReadCtx } from "../context.ts";
import { badInput } from "../../errors.ts";
import { email } from "./accounts.ts";
import { parseInput } from "../input.ts";
import { runDeferred } from "../deferred-work.ts";
import { endDraftSharing, endManySchedules } from "./draft-sharing.ts";
import { withMinimumDuration } from "./minimum-duration.ts";
import { isValidResetToken, issueToken, consumeResetToken } from "./email-tokens.ts";
import { withHashingPermit, hashPassword, newPassword, refuseNameAsPassword } from "./passwords.ts";
import { endPendingPasswords } from "./registrations.ts";
import { recordEvent } from "./security-events.ts";
import { countEmail } from "./rate-limits.ts";

export const resetRequest = z.strictObject({ email });
export const resetInput = z.strictObject({ password: newPassword });

/** Sends a reset link if the address has an account. The response is the same in both cases. @throws BAD_USER_INPUT */
export async function requestPasswordReset(ctx: Ctx, fields: unknown): Promise<{ message: string }> {
  const input = parseInput(resetRequest, fields);
  if (await withMinimumDuration(() => countEmail(ctx, "reset", input.email)))
    runDeferred(
      ctx,
      { kind: "emails", key: input.email },
      (after) => mailResetLink(after, input.email),
      () => recordEvent(ctx, { event: "request-password-reset", outcome: "failure" }),
    );
  recordEvent(ctx, { event: "request-password-reset", outcome: "success" });
  return { message: "Password reset link sent to your email, Please check your inbox" };
}

/** One transaction with or without an account: emails of others would show how often it waits for a connection. */
async function mailResetLink(ctx: Ctx, address: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const user = await tx.user.findUnique({ where: { email: address } });
    const token = user && (await issueToken(ctx, tx, "RESET", user.id));
    if (!token) return ctx.mail.simulate(tx, address);
    const link = `/reset-password/${user.id}/${token}`;
    await ctx.mail.write(tx, "reset", user.email, { username: user.username, link });
  });
}

export const isResetLinkValid = (ctx: ReadCtx, userId: string, token: string): Promise<boolean> =>
  isValidResetToken(ctx, { userId, token });

/** @throws BAD_USER_INPUT `invalid link` */
export async function checkResetLink(
  ctx: ReadCtx,
  userId: string,
  token: string,
): Promise<{ message: string }> {
  if (!(await isValidResetToken(ctx, { userId, token }))) throw badInput("invalid link");
  return { message: "Valid url" };
}

/**
 * Sets a new password, verifies the account, and ends all its sessions, preview links and schedules. A rejected password does not consume the link.
 * @throws BAD_USER_INPUT
 */
export async function resetPassword(ctx: Ctx, userId: string, token: string, fields: unknown) {
  await checkResetLink(ctx, userId, token);
  const { password } = parseInput(resetInput, fields);
  const user = await ctx.db.user.findUnique({ where: { id: userId } });
  if (!user) throw badInput("invalid link");
  refuseNameAsPassword(password, user);
  const passwordHash = await withHashingPermit(ctx, () => hashPassword(password));
  const reason = "the password was reset";
  await endManySchedules(ctx, userId, reason);
  await ctx.db.$transaction(async (tx) => {
    await consumeResetToken(ctx, tx, { userId, token });
    await tx.user.update({
      where: { id: userId },
      data: { passwordHash, verifiedAt: user.verifiedAt ?? ctx.now() },
    });
    await tx.session.deleteMany({ where: { userId } });
    await endDraftSharing(tx, userId, reason);
    // The password of an unverified account ends, and its name stays taken: so it is with pending registrations.
    await endPendingPasswords(tx, user.email);
    await ctx.mail.write(tx, "passwordChanged", user.email, { username: user.username });
  });
  ctx.invalidate(`user:${userId}`);
  recordEvent(ctx, { event: "reset-password", target: userId, outcome: "success" });
  return { message: "Password reset successfully, please log in" };
}

import { z } from "zod";
import type { Ctx, Viewer } from "../context.ts";
import { badField, BlogError } from "../../errors.ts";
import { LENGTHS } from "../../limits.ts";
import { checkPassword, withHashingPermit } from "./passwords.ts";
import { recordEvent } from "./security-events.ts";
import { countHit, resetHits, consumeOrThrow, rateLimits, rulesOfCaller } from "./rate-limits.ts";

/** Milliseconds after sign-in during which the session token suffices. */
const RECENT = 2 * 60 * 60 * 1000;

export const currentPassword = z
  .string()
  .min(1)
  .max(LENGTHS.password[1])
  .optional()
  .meta({ description: "The present password; needed when the sign-in is older than two hours." });

const message =
  "you signed in a while ago: send your current password as `currentPassword`, or sign in again";

/**
 * Guards operations that a stolen token must not perform: setting a password, deleting the account (ASVS 7.5.1).
 * @throws REAUTHENTICATION_REQUIRED, BAD_USER_INPUT for a wrong password, RATE_LIMITED
 */
export async function requireRecentSignIn(
  ctx: Ctx,
  viewer: Viewer,
  password: string | undefined,
): Promise<void> {
  if (ctx.now().getTime() - viewer.signedInAt.getTime() <= RECENT) return;
  if (password === undefined) throw new BlogError("REAUTHENTICATION_REQUIRED", message);
  const rule = rateLimits.reauthentications(viewer.id);
  // Count before checking, so that concurrent attempts cannot exceed the limit.
  await consumeOrThrow(ctx, rule);
  const user = await ctx.db.user.findUnique({ where: { id: viewer.id } });
  const matches =
    user !== null && (await withHashingPermit(ctx, () => checkPassword(user.passwordHash, password)));
  recordEvent(ctx, { event: "reauthenticate", target: viewer.id, outcome: matches ? "success" : "failure" });
  if (matches) return void (await resetHits(ctx, rule));
  for (const each of rulesOfCaller(ctx, rateLimits.failedSignIns)) await countHit(ctx, each);
  throw badField("currentPassword", WRONG);
}

const WRONG = '"currentPassword" is not your password';

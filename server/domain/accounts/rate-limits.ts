import type { Ctx } from "../context.ts";
import { BlogError } from "../../errors.ts";
import { networkOf } from "../../networks.ts";

const HOUR = 60 * 60 * 1000;

/** `window` in milliseconds, one hour by default. */
export type RateLimit = { key: string; limit: number; window?: number };

/** The limits, in hits per hour. Keys must not contain secrets. */
export const rateLimits = {
  wrongPasswords: (email: string, origin: string): RateLimit => ({
    key: `password ${email} ${origin}`,
    limit: 10,
  }),
  failedSignIns: (origin: string): RateLimit => ({ key: `sign-in ${origin}`, limit: 100 }),
  wrongPasswordsFrom: (email: string, origin: string): RateLimit => ({
    key: `password ${email} from ${networkOf(origin)}`,
    limit: 30,
  }),
  registrations: (origin: string): RateLimit => ({ key: `register ${origin}`, limit: 30 }),
  /** Each change sends an email. */
  passwordChanges: (userId: string): RateLimit => ({ key: `password change ${userId}`, limit: 10 }),
  newSignInLetters: (userId: string): RateLimit => ({ key: `letter sign-in ${userId}`, limit: 10 }),
  reauthentications: (userId: string): RateLimit => ({ key: `reauthenticate ${userId}`, limit: 10 }),
  idempotencyKeys: (userId: string): RateLimit => ({
    key: `idempotency ${userId}`,
    limit: 10_000,
    window: 24 * HOUR,
  }),
  letters: (kind: EmailQuota, email: string, origin: string): RateLimit => ({
    key: `letter ${kind} ${email} ${origin}`,
    limit: 5,
  }),
  allLetters: (kind: EmailQuota, email: string): RateLimit => ({
    key: `letter ${kind} ${email}`,
    limit: 20,
  }),
  /** Emails that one origin may trigger, to any address. */
  lettersFrom: (origin: string): RateLimit => ({ key: `letters ${origin}`, limit: 100 }),
};

/** The limit of an origin and, for IPv6, a tenfold one of its /48, which one subscriber may own. */
export function rulesOf(ruleOf: (origin: string) => RateLimit, origin: string): RateLimit[] {
  const [rule, network] = [ruleOf(origin), networkOf(origin)];
  if (network === origin) return [rule];
  const { limit, ...others } = ruleOf(network);
  return [rule, { ...others, limit: 10 * limit }];
}

type EmailQuota = "verify" | "reset";

/**
 * Counts an email per address and origin, so that a stranger cannot use up the owner's quota. Over the quota of an
 * address the caller must respond as usual but send no email, to prevent account enumeration.
 * @returns whether the email may be sent
 * @throws RATE_LIMITED if the origin exceeds its limit over all addresses, which reveals nothing about any of them
 */
export async function countEmail(ctx: Ctx, kind: EmailQuota, email: string): Promise<boolean> {
  for (const rule of rulesOf(rateLimits.lettersFrom, ctx.origin)) await consumeOrThrow(ctx, rule);
  if (!(await countHit(ctx, rateLimits.letters(kind, email, ctx.origin)))) return false;
  return countHit(ctx, rateLimits.allLetters(kind, email));
}

/** Counts one hit in the database, which all processes share. @returns whether it is within the limit */
export const countHit = async (ctx: Ctx, rule: RateLimit): Promise<boolean> =>
  !ctx.rateLimitsEnabled || (await addHits(ctx, rule, 1)).hits <= rule.limit;

type Counted = { hits: number; resetsAt: Date };

/** @returns the new total and the end of the window */
export async function addHits(ctx: Ctx, { key, window = HOUR }: RateLimit, count: number): Promise<Counted> {
  const now = ctx.now();
  const resetsAt = new Date(now.getTime() + window);
  return ctx.writes.countInWindow({ key, count, now, resetsAt });
}

/** Checks without counting. @throws RATE_LIMITED if one of the limits is reached */
export async function refuseExhausted(ctx: Ctx, ...rules: RateLimit[]): Promise<void> {
  if (!ctx.rateLimitsEnabled) return;
  const found = await ctx.db.throttle.findMany({
    where: { key: { in: rules.map((rule) => rule.key) }, resetsAt: { gt: ctx.now() } },
  });
  const used = found.filter(
    (row) => row.hits >= (rules.find((rule) => rule.key === row.key)?.limit ?? Infinity),
  );
  if (used.length > 0) throw tooMany(ctx, new Date(Math.max(...used.map((row) => row.resetsAt.getTime()))));
}

/** Counts one hit. @throws RATE_LIMITED if it exceeds the limit */
export async function consumeOrThrow(ctx: Ctx, rule: RateLimit): Promise<void> {
  if (!ctx.rateLimitsEnabled) return;
  const { hits, resetsAt } = await addHits(ctx, rule, 1);
  if (hits > rule.limit) throw tooMany(ctx, resetsAt);
}

/** Refunds the hits of a failed operation and deletes the row at zero. */
export async function removeHits(ctx: Ctx, { key }: RateLimit, count: number): Promise<void> {
  const removed = await ctx.db.throttle.deleteMany({ where: { key, hits: { lte: count } } });
  if (removed.count === 0)
    await ctx.db.throttle.updateMany({ where: { key }, data: { hits: { decrement: count } } });
}

export const forgetHits = (ctx: Ctx, { key }: RateLimit) => ctx.db.throttle.deleteMany({ where: { key } });

export function tooMany(ctx: Ctx, until: Date): BlogError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - ctx.now().getTime()) / 1000));
  const minutes = Math.ceil(retryAfter / 60);
  return new BlogError(
    "RATE_LIMITED",
    `too many attempts, please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`,
    {
      retryAfter,
    },
  );
}

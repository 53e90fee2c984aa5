import { LRUCache } from "lru-cache";
import type { Ctx, Quota, RateLimitState, ReadCtx } from "../context.ts";
import { rateLimited, type BlogError } from "../../errors.ts";
import { CLOCK_ERROR_MS } from "../../limits.ts";
import { networkOf } from "../../networks.ts";
import { createKeyedQueues } from "../../queue.ts";

const HOUR = 60 * 60 * 1000;

export type RateLimit = {
  key: string;
  /** Under which responses show it. None if another limit counts the same, or if nobody may notice it. */
  name?: string;
  /** Shows it only when it is reached, for a limit that others may reset. */
  isShownIfReached?: boolean;
  limit: number;
  /** Milliseconds, one hour by default. */
  window?: number;
};

/** Keys must not contain secrets. */
export const rateLimits = {
  wrongPasswords: (email: string, origin: string): RateLimit => ({
    key: `password ${email} ${origin}`,
    name: "wrong-passwords",
    isShownIfReached: true,
    limit: 10,
  }),
  failedSignIns: (origin: string): RateLimit => ({
    key: `sign-in ${origin}`,
    name: "failed-sign-ins",
    limit: 100,
  }),
  wrongPasswordsFrom: (email: string, origin: string): RateLimit => ({
    key: `password ${email} from ${networkOf(origin)}`,
    name: "wrong-passwords-of-network",
    isShownIfReached: true,
    limit: 30,
  }),
  /** With the right password. */
  signIns: (email: string, origin: string): RateLimit => ({
    key: `sign-in ${email} from ${networkOf(origin)}`,
    name: "sign-ins",
    isShownIfReached: true,
    limit: 300,
  }),
  registrations: (origin: string): RateLimit => ({
    key: `register ${origin}`,
    name: "registrations",
    limit: 30,
  }),
  /** Each change sends an email. */
  passwordChanges: (userId: string): RateLimit => ({
    key: `password change ${userId}`,
    name: "password-changes",
    limit: 10,
  }),
  newSignInEmails: (userId: string): RateLimit => ({ key: `email sign-in ${userId}`, limit: 10 }),
  reauthentications: (userId: string): RateLimit => ({
    key: `reauthenticate ${userId}`,
    name: "wrong-passwords",
    limit: 10,
  }),
  /** Of writes that remove pages from the cache at once: a deleted post those that show it, a changed or deleted comment one. */
  removals: (kind: "posts" | "comments", origin: string): RateLimit => ({
    key: `removals of ${kind} from ${networkOf(origin)}`,
    name: `removals-of-${kind}-of-network`,
    limit: { posts: 30, comments: 60 }[kind],
    window: 10_000,
  }),
  idempotencyKeys: (userId: string): RateLimit => ({
    key: `idempotency ${userId}`,
    name: "idempotency-keys",
    limit: 10_000,
    window: 24 * HOUR,
  }),
  emails: (kind: EmailQuota, email: string, origin: string): RateLimit => ({
    key: `email ${kind} ${email} ${networkOf(origin)}`,
    limit: 5,
  }),
  allEmails: (kind: EmailQuota, email: string): RateLimit => ({
    key: `email ${kind} ${email}`,
    limit: 20,
  }),
  /** Emails that one origin may trigger, to any address. */
  emailsFrom: (origin: string): RateLimit => ({ key: `emails ${origin}`, name: "emails", limit: 100 }),
};

/** The limit of an origin and, for IPv6, a tenfold one of its /48, which one subscriber may own. */
export function rulesOf(ruleOf: (origin: string) => RateLimit, origin: string): RateLimit[] {
  const [rule, network] = [ruleOf(origin), networkOf(origin)];
  if (network === origin) return [rule];
  const { limit, name, ...others } = ruleOf(network);
  return [rule, { ...others, ...(name && { name: `${name}-of-network` }), limit: 10 * limit }];
}

/** Attempts by pages of other sites count apart: they must not lock out the networks of their visitors. */
export const rulesOfCaller = (
  { origin, isCrossSite }: Pick<Ctx, "origin" | "isCrossSite">,
  ruleOf: (origin: string) => RateLimit,
): RateLimit[] =>
  rulesOf(ruleOf, origin).map((rule) => (isCrossSite ? { ...rule, key: `cross-site ${rule.key}` } : rule));

type EmailQuota = "verify" | "reset";

/**
 * Counts an email per address and origin, so that a stranger cannot use up the owner's quota. Over the quota of an
 * address the caller must respond as usual but send no email, to prevent account enumeration.
 * @returns whether the email may be sent
 * @throws RATE_LIMITED if the origin exceeds its limit over all addresses, which reveals nothing about any of them
 */
export async function countEmail(ctx: Ctx, kind: EmailQuota, email: string): Promise<boolean> {
  for (const rule of rulesOfCaller(ctx, rateLimits.emailsFrom)) await consumeOrThrow(ctx, rule);
  if (!(await countHit(ctx, rateLimits.emails(kind, email, ctx.origin)))) return false;
  return countHit(ctx, rateLimits.allEmails(kind, email));
}

/** Counts one hit in the database, which all processes share. @returns whether it is within the limit */
export const countHit = async (ctx: Ctx, rule: RateLimit): Promise<boolean> =>
  !ctx.rateLimitsEnabled || (await addHits(ctx, rule, 1)).hits <= rule.limit;

type Counted = { hits: number; resetsAt: Date };

/** @returns the new total and the end of the window */
export async function addHits(ctx: Ctx, rule: RateLimit, count: number): Promise<Counted> {
  const [counted] = await addHitsToAll(ctx, [rule], count);
  return counted ?? unused(ctx, rule);
}

/** In one statement. */
export async function addHitsToAll(
  ctx: Ctx,
  rules: RateLimit[],
  count: number,
): Promise<(Counted & { rule: RateLimit })[]> {
  const added = rules.map((rule) => ({ ...unused(ctx, rule), key: rule.key, hits: count }));
  const counters = await ctx.writes.addToCounters(ctx.db, added, ctx.now());
  return counters.flatMap(({ key, hits, resetsAt }) => {
    const rule = rules.find((rule) => rule.key === key);
    if (!rule) return [];
    recordQuota(ctx, rule, { hits, resetsAt });
    return [{ rule, hits, resetsAt }];
  });
}

const unused = (ctx: Ctx, { window = HOUR }: RateLimit): Counted => ({
  hits: 0,
  resetsAt: new Date(ctx.now().getTime() + window),
});

export function recordQuota(ctx: Ctx, rule: RateLimit, { hits, resetsAt }: Counted): void {
  const { key, name, isShownIfReached, limit, window = HOUR } = rule;
  if (name && (!isShownIfReached || hits >= limit))
    ctx.quotas.set(key, { name, limit, window, remaining: Math.max(0, limit - hits), resetsAt });
  else ctx.quotas.delete(key);
}

/** The state of the limit that the caller is nearest to; null if the request was not limited. */
export function rateLimitState(ctx: ReadCtx & Partial<Pick<Ctx, "quotas" | "now">>): RateLimitState | null {
  if (!ctx.quotas?.size || !ctx.now) return null;
  const isNearer = (a: Quota, b: Quota) =>
    a.remaining < b.remaining || (a.remaining === b.remaining && a.resetsAt > b.resetsAt);
  const nearest = [...ctx.quotas.values()].reduce((a, b) => (isNearer(b, a) ? b : a));
  const { name: policy, limit, window, remaining, resetsAt } = nearest;
  const reset = Math.max(0, Math.ceil((resetsAt.getTime() - ctx.now().getTime()) / 1000));
  return { policy, limit, window: window / 1000, remaining, reset };
}

/** Checks without counting. @throws RATE_LIMITED if one of the limits is reached */
export async function refuseExhausted(ctx: Ctx, ...rules: RateLimit[]): Promise<void> {
  if (!ctx.rateLimitsEnabled) return;
  const found = await ctx.db.throttle.findMany({
    where: { key: { in: rules.map((rule) => rule.key) }, resetsAt: { gt: ctx.now() } },
  });
  const counted = rules.map((rule) => {
    const [none, row] = [unused(ctx, rule), found.find(({ key }) => key === rule.key)];
    const isOfWrongClock = row && row.resetsAt.getTime() > none.resetsAt.getTime() + CLOCK_ERROR_MS;
    return { rule, ...(isOfWrongClock ? none : (row ?? none)) };
  });
  for (const { rule, ...counter } of counted) recordQuota(ctx, rule, counter);
  const used = counted.filter(({ rule, hits }) => hits >= rule.limit);
  if (used.length > 0) throw tooMany(ctx, latestEnd(used));
}

const latestEnd = (counted: Counted[]) =>
  new Date(Math.max(...counted.map(({ resetsAt }) => resetsAt.getTime())));

/** One at a time updates the row of a key: the others would wait for its lock, each with a connection. */
const keyedQueues = createKeyedQueues({ concurrency: 1, maxQueued: 1_000, timeoutMs: 5_000 }, "rate_limits");

async function withTurns<T>([key, ...others]: string[], run: () => Promise<T>): Promise<T> {
  if (key === undefined) return run();
  const release = await keyedQueues(key);
  try {
    return await withTurns(others, run);
  } finally {
    release();
  }
}

/** Counts one hit for all limits, or for those that it exceeds. @throws RATE_LIMITED if it exceeds one, UNAVAILABLE */
export async function consumeOrThrow(ctx: Ctx, ...rules: RateLimit[]): Promise<void> {
  if (!ctx.rateLimitsEnabled) return;
  const refuseExceeding = () => rules.forEach((rule) => refuseRecentlyExhausted(ctx, rule));
  refuseExceeding();
  await withTurns(rules.map(({ key }) => key).sort(), async () => {
    refuseExceeding();
    const counted = await addHitsToAll(ctx, rules, 1);
    const exceeded = counted.filter(({ rule, hits }) => hits > rule.limit);
    if (exceeded.length === 0) return;
    const others = counted.filter(({ rule, hits }) => hits <= rule.limit).map(({ rule }) => rule);
    await removeHits(ctx, others, 1);
    for (const { rule, ...counter } of exceeded) markExhausted(ctx, rule, counter);
    throw tooMany(ctx, latestEnd(exceeded));
  });
}

/** Milliseconds for which a process refuses hits of a key without asking the database, where another may have removed some. */
const EXHAUSTED_TTL = 5_000;

type Exhausted = Counted & { since: Date };

/** By services, since the processes of a test have a database each. */
const exhausted = new WeakMap<Ctx["writes"], LRUCache<string, Exhausted>>();

function exhaustedOf({ writes }: Ctx): LRUCache<string, Exhausted> {
  const cache = exhausted.get(writes) ?? new LRUCache<string, Exhausted>({ max: 10_000 });
  exhausted.set(writes, cache);
  return cache;
}

export function markExhausted(ctx: Ctx, { key }: RateLimit, { hits, resetsAt }: Counted): BlogError {
  exhaustedOf(ctx).set(key, { hits, resetsAt, since: ctx.now() });
  return tooMany(ctx, resetsAt);
}

export function refuseRecentlyExhausted(ctx: Ctx, rule: RateLimit): void {
  const found = exhaustedOf(ctx).get(rule.key);
  const age = found ? ctx.now().getTime() - found.since.getTime() : -1;
  const isValid = age >= 0 && age <= EXHAUSTED_TTL && found && found.resetsAt > ctx.now();
  if (!isValid || found.hits <= rule.limit) return;
  recordQuota(ctx, rule, found);
  throw tooMany(ctx, found.resetsAt);
}

export async function removeHits(ctx: Ctx, rules: RateLimit[], count: number): Promise<void> {
  if (rules.length === 0) return;
  const keys = rules.map(({ key }) => key);
  for (const key of keys) exhaustedOf(ctx).delete(key);
  await ctx.writes.removeFromCounters(ctx.db, keys, count);
  for (const key of keys) {
    const quota = ctx.quotas.get(key);
    if (quota) quota.remaining = Math.min(quota.limit, quota.remaining + count);
  }
}

export async function resetHits(ctx: Ctx, rule: RateLimit): Promise<void> {
  exhaustedOf(ctx).delete(rule.key);
  await ctx.db.throttle.deleteMany({ where: { key: rule.key } });
  recordQuota(ctx, rule, unused(ctx, rule));
}

const tooMany = (ctx: Ctx, until: Date): BlogError =>
  rateLimited("too many attempts", Math.max(1, Math.ceil((until.getTime() - ctx.now().getTime()) / 1000)));

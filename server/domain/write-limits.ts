import { LRUCache } from "lru-cache";
import type { Ctx, Viewer, WriteLimits } from "./context.ts";
import { toBlogError, type ErrorCode } from "../errors.ts";
import { WRITES_PER_ACCOUNT } from "../limits.ts";
import { createKeyedQueues } from "../queue.ts";
import { requireRecentSession, requireViewer } from "./permissions.ts";
import {
  addHits,
  addHitsToAll,
  consumeOrThrow,
  markExhausted,
  rateLimits,
  recordQuota,
  rulesOf as rulesOfNetwork,
  refuseRecentlyExhausted,
  removeHits,
  type RateLimit,
} from "./accounts/rate-limits.ts";

type Kind = keyof WriteLimits;

const WINDOW = 10 * 60 * 1000;
/** What stays in the database has a limit per day, too, of so many times that of ten minutes, but not for admins. */
const DAILY: Partial<Record<Kind, number>> = { posts: 10, comments: 10, drafts: 30 };
const DAY = 24 * 60 * 60 * 1000;
/** Users behind one address, for instance an office, share a multiple of the limit of an account. Responses are built again after most writes. */
const perOrigin = (kind: Kind) => (["drafts", "bookmarks", "follows"].includes(kind) ? 10 : 3);
/** Counting a like costs more than the like, so a process reserves this many hits at once. */
const LEASE = 20;

const ENCODER_MS = 500;
const ENCODER_REFUSALS = new Set<ErrorCode>(["UNSUPPORTED_MEDIA_TYPE", "PAYLOAD_TOO_LARGE"]);

/** `hits` and `resetsAt` are those of the counter when this process took the last of it. */
type Lease = { left: number; size: number; hits: number; resetsAt: Date };

const leasesByServices = new WeakMap<Ctx["writes"], LRUCache<string, Lease>>();

function leasesOf({ writes }: Ctx): LRUCache<string, Lease> {
  const leases = leasesByServices.get(writes) ?? new LRUCache<string, Lease>({ max: 10_000, ttl: WINDOW });
  leasesByServices.set(writes, leases);
  return leases;
}

const accountQueues = createKeyedQueues(WRITES_PER_ACCOUNT, "account_writes");

/**
 * Counts a write for the account and its origin before it runs, so that concurrent requests cannot exceed the limit.
 * A failed write is not counted, unless it occupied the encoder with a picture that cannot be decoded.
 * @throws UNAUTHENTICATED, also if the session ended in the queue, RATE_LIMITED before the write, and its errors
 */
export async function limitWrites<T>(ctx: Ctx, kind: Kind | Kind[], write: () => Promise<T>): Promise<T> {
  if (!ctx.rateLimitsEnabled) return write();
  const viewer = requireViewer(ctx);
  const release = await accountQueues(viewer.id);
  try {
    return await countWrite(ctx, [kind].flat(), viewer, write);
  } finally {
    release();
  }
}

const DELETIONS = { posts: "postDeletions", comments: "commentDeletions" } as const;

/** An admin may delete any number. */
export async function limitDeletions<T>(
  ctx: Ctx,
  kind: keyof typeof DELETIONS,
  remove: () => Promise<T>,
): Promise<T> {
  if (requireViewer(ctx).isAdmin) return remove();
  await consumeOrThrow(ctx, rateLimits.removals(kind, ctx.origin));
  return limitWrites(ctx, DELETIONS[kind], remove);
}

/** For texts, and what makes jobs write texts. @throws INSUFFICIENT_STORAGE, and as `limitWrites` */
export async function limitTextWrites<T>(ctx: Ctx, kind: Kind, write: () => Promise<T>) {
  await ctx.requireDiskSpace();
  return limitWrites(ctx, kind, write);
}

async function countWrite<T>(ctx: Ctx, kinds: Kind[], viewer: Viewer, write: () => Promise<T>): Promise<T> {
  const rules = kinds.flatMap((kind) => rulesOf(ctx, kind, viewer));
  const isLeased = kinds.includes("likes");
  await (isLeased ? countAllLeased(ctx, rules) : consumeOrThrow(ctx, ...rules));
  const began = performance.now();
  try {
    // The owner may have ended a stolen session while it waited for its turn, or for the counters.
    await requireRecentSession(ctx, viewer);
    return await write();
  } catch (error) {
    const isFree = performance.now() - began < ENCODER_MS;
    if (ENCODER_REFUSALS.has(toBlogError(error).code) && !isFree) throw error;
    await (isLeased ? refundLeased(ctx, rules) : removeHits(ctx, rules, 1)).catch(() => undefined);
    throw error;
  }
}

function rulesOf(ctx: Ctx, kind: Kind, { id, isAdmin }: Pick<Viewer, "id" | "isAdmin">): RateLimit[] {
  const rulesIn = (window: number, limit: number, suffix: string): RateLimit[] => {
    const ofOrigin = (origin: string): RateLimit => ({
      ...{ key: `${kind}${suffix} from ${origin}`, name: `${kind}-of-address${suffix}` },
      ...{ limit: limit * perOrigin(kind), window },
    });
    const ofAccount = { key: `${kind}${suffix} ${id}`, name: `${kind}${suffix}`, limit, window };
    return [ofAccount, ...rulesOfNetwork(ofOrigin, ctx.origin)];
  };
  const [limit, factor] = [ctx.writeLimits[kind], isAdmin ? undefined : DAILY[kind]];
  return [...rulesIn(WINDOW, limit, ""), ...(factor ? rulesIn(DAY, factor * limit, "-of-day") : [])];
}

/** Counts a write that has changed much as so many more, which later writes may not exceed. */
export async function countAdditionalWrites(
  ctx: Ctx,
  kind: "drafts" | "profiles",
  writes: number,
): Promise<void> {
  if (!ctx.rateLimitsEnabled || writes < 1) return;
  await addHitsToAll(ctx, rulesOf(ctx, kind, requireViewer(ctx)), writes);
}

async function countAllLeased(ctx: Ctx, rules: RateLimit[]): Promise<void> {
  const counted: RateLimit[] = [];
  try {
    for (const rule of rules) {
      await countLeased(ctx, rule);
      counted.push(rule);
    }
  } catch (error) {
    await refundLeased(ctx, counted).catch(() => undefined);
    throw error;
  }
}

async function countLeased(ctx: Ctx, rule: RateLimit): Promise<void> {
  if (takeFromLease(ctx, rule)) return;
  refuseRecentlyExhausted(ctx, rule);
  const size = Math.min(LEASE, rule.limit);
  const { hits, resetsAt } = await addHits(ctx, rule, size);
  const granted = size - Math.max(0, hits - rule.limit);
  const leases = leasesOf(ctx);
  const { left, size: leased } = leases.get(rule.key) ?? { left: 0, size: 0 };
  if (granted > 0) leases.set(rule.key, { left: left + granted, size: leased + granted, hits, resetsAt });
  if (!takeFromLease(ctx, rule)) throw markExhausted(ctx, rule, { hits, resetsAt });
}

function takeFromLease(ctx: Ctx, rule: RateLimit): boolean {
  const lease = leasesOf(ctx).get(rule.key);
  if (!lease || lease.left <= 0) return false;
  lease.left--;
  recordLease(ctx, rule, lease);
  return true;
}

const recordLease = (ctx: Ctx, rule: RateLimit, { left, hits, resetsAt }: Lease): void =>
  recordQuota(ctx, rule, { hits: Math.min(hits, rule.limit) - left, resetsAt });

async function refundLeased(ctx: Ctx, rules: RateLimit[]): Promise<void> {
  for (const rule of rules) {
    const lease = leasesOf(ctx).get(rule.key);
    if (!lease) continue;
    lease.left++;
    recordLease(ctx, rule, lease);
    if (lease.left < lease.size) continue;
    leasesOf(ctx).delete(rule.key);
    await removeHits(ctx, [rule], lease.size);
  }
}

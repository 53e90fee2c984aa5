import { LRUCache } from "lru-cache";
import type { Ctx, WriteLimits } from "./context.ts";
import { WRITES_PER_ACCOUNT } from "../limits.ts";
import { createKeyedQueues } from "../queue.ts";
import { requireSession, requireViewer } from "./permissions.ts";
import { addHits, consumeOrThrow, removeHits, type Throttle, tooMany } from "./accounts/rate-limits.ts";

const WINDOW = 10 * 60 * 1000;
/** People behind one address, an office for instance, share ten times what one account may. */
const PER_ORIGIN = 10;
/** Likes are cheaper than counting them: so many are counted at once and used up in this process. */
const LEASE = 20;

/** Milliseconds after which a write that has waited looks up its session again. */
const SHORT = 100;

const leases = new LRUCache<string, { left: number; size: number }>({ max: 10_000, ttl: WINDOW });

const ofAccount = createKeyedQueues(WRITES_PER_ACCOUNT);

/**
 * Counts a write for the account and its origin before it is done, so that calls at the same time cannot pass the
 * limit together; a write that fails is taken back.
 * @throws UNAUTHENTICATED, also when the session ended while it waited, RATE_LIMITED before anything is done, and what `write` throws
 */
export async function limitWrites<T>(ctx: Ctx, kind: keyof WriteLimits, write: () => Promise<T>): Promise<T> {
  if (!ctx.rateLimitsEnabled) return write();
  const viewer = requireViewer(ctx);
  const began = performance.now();
  const leave = await ofAccount(viewer.id);
  try {
    // The owner may have ended the session meanwhile, to be rid of a thief.
    if (performance.now() - began > SHORT) await requireSession(ctx.db, viewer);
    return await countWrite(ctx, kind, viewer.id, write);
  } finally {
    leave();
  }
}

async function countWrite<T>(
  ctx: Ctx,
  kind: keyof WriteLimits,
  id: string,
  write: () => Promise<T>,
): Promise<T> {
  const limit = ctx.writeLimits[kind];
  const counted: Throttle[] = [];
  try {
    for (const rule of [
      { key: `${kind} ${id}`, limit, window: WINDOW },
      { key: `${kind} from ${ctx.origin}`, limit: limit * PER_ORIGIN, window: WINDOW },
    ]) {
      await (kind === "likes" ? countLeased(ctx, rule) : consumeOrThrow(ctx, rule));
      counted.push(rule);
    }
    return await write();
  } catch (error) {
    for (const rule of counted) await takeBack(ctx, kind, rule).catch(() => undefined);
    throw error;
  }
}

/** @throws RATE_LIMITED */
async function countLeased(ctx: Ctx, rule: Throttle): Promise<void> {
  if (takeFromLease(rule)) return;
  const size = Math.min(LEASE, rule.limit);
  const { hits, resetsAt } = await addHits(ctx, rule, size);
  const granted = size - Math.max(0, hits - rule.limit);
  const { left, size: leased } = leases.get(rule.key) ?? { left: 0, size: 0 };
  if (granted > 0) leases.set(rule.key, { left: left + granted, size: leased + granted });
  if (!takeFromLease(rule)) throw tooMany(ctx, resetsAt);
}

function takeFromLease({ key }: Throttle): boolean {
  const lease = leases.get(key);
  if (!lease || lease.left <= 0) return false;
  lease.left--;
  return true;
}

async function takeBack(ctx: Ctx, kind: keyof WriteLimits, rule: Throttle): Promise<void> {
  if (kind !== "likes") return removeHits(ctx, rule, 1);
  const lease = leases.get(rule.key);
  if (!lease || ++lease.left < lease.size) return;
  // Nothing of it was used.
  leases.delete(rule.key);
  await removeHits(ctx, rule, lease.size);
}

import { LRUCache } from "lru-cache";
import type { Ctx, WriteLimits } from "../context.ts";
import { requireViewer } from "./permissions.ts";
import { addHits, refuseExhausted, type Throttle } from "./throttles.ts";

const WINDOW = 10 * 60 * 1000;
/** People behind one address, an office for instance, share ten times what one account may. */
const PER_ORIGIN = 10;
/** Likes are cheaper than counting them: so many are counted at once and used up in this process. */
const LEASE = 20;

const leases = new LRUCache<string, { left: number }>({ max: 10_000, ttl: WINDOW });

/**
 * Does what writes, and counts it for the account and its origin once it is done: what is refused does not count.
 * @throws UNAUTHENTICATED, RATE_LIMITED before anything is done, and what `write` throws
 */
export async function limitWrites<T>(ctx: Ctx, kind: keyof WriteLimits, write: () => Promise<T>): Promise<T> {
  if (!ctx.throttled) return write();
  const { id } = requireViewer(ctx);
  const limit = ctx.writeLimits[kind];
  const rules: Throttle[] = [
    { key: `${kind} ${id}`, limit, window: WINDOW },
    { key: `${kind} from ${ctx.origin}`, limit: limit * PER_ORIGIN, window: WINDOW },
  ];
  const unleased = rules.filter(({ key }) => !leases.get(key)?.left);
  if (unleased.length > 0) await refuseExhausted(ctx, ...unleased);
  const written = await write();
  // It is done: a count that fails must not make a refusal of it.
  await Promise.all(rules.map((rule) => count(ctx, kind, rule))).catch(() => undefined);
  return written;
}

async function count(ctx: Ctx, kind: keyof WriteLimits, rule: Throttle): Promise<void> {
  if (kind !== "likes") return void (await addHits(ctx, rule, 1));
  const lease = leases.get(rule.key);
  if (lease && lease.left > 0) return void lease.left--;
  const size = Math.min(LEASE, rule.limit);
  const hits = await addHits(ctx, rule, size);
  leases.set(rule.key, { left: Math.max(0, size - Math.max(0, hits - rule.limit) - 1) });
}

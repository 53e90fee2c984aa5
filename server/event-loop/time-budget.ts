import { LRUCache } from "lru-cache";
import { HEAVY_TIME } from "../limits.ts";

export const JOBS = "jobs";

/** Keys of queues without a budget: those of jobs, of no network, and of the machine itself. */
const UNLIMITED = new Set([JOBS, "", "127.0.0.1", "0:0:0::/48"]);

/** When the debt of a network is paid, as time of `performance.now()`. */
const paidAt = new LRUCache<string, number>({ max: 10_000 });

/** Charges time to a network's budget for all heavy work. @returns milliseconds that it must wait before more of the same */
export function chargeTime(network: string, milliseconds: number): number {
  if (UNLIMITED.has(network)) return 0;
  const { share, atOnce } = HEAVY_TIME;
  const now = performance.now();
  const paid = Math.max(paidAt.get(network) ?? -Infinity, now - atOnce / share) + milliseconds / share;
  paidAt.set(network, paid);
  return Math.max(0, paid - now);
}

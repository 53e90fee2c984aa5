import { LRUCache } from "lru-cache";
import { HEAVY_TIME, PICTURE_BUDGET } from "../limits.ts";

export const JOBS = "jobs";

/** Keys of queues without a budget: those of jobs, of no network, and of the machine itself. */
const UNLIMITED = new Set([JOBS, "", "127.0.0.1", "0:0:0::/48"]);

type Budget = { atOnce: number; share: number };

/** @returns a function that charges an amount to a network, and returns the milliseconds that it must wait before more of the same */
export function createBudget({ atOnce, share }: Budget) {
  /** When the debt of a network is paid, as time of `performance.now()`. */
  const paidAt = new LRUCache<string, number>({ max: 10_000 });
  return (network: string, amount: number): number => {
    if (UNLIMITED.has(network)) return 0;
    const now = performance.now();
    const paid = Math.max(paidAt.get(network) ?? -Infinity, now - atOnce / share) + amount / share;
    paidAt.set(network, paid);
    return Math.max(0, paid - now);
  };
}

export const chargeTime = createBudget(HEAVY_TIME);
export const chargePictureBytes = createBudget(PICTURE_BUDGET);

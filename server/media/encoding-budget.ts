import { LRUCache } from "lru-cache";
import { rateLimited } from "../errors.ts";
import { networkOf } from "../networks.ts";

/** Milliseconds that one origin may occupy the encoder, and in which time: hundreds of ordinary pictures. */
const BUDGET = 60_000;
const WINDOW = 10 * 60_000;

type Use = { milliseconds: number; until: number };

/** Others get most of the encoder's time, whatever the pictures of one origin take. */
export function createEncodingBudget(now: () => number = () => performance.now()) {
  const uses = new LRUCache<string, Use>({ max: 10_000 });

  /** @throws RATE_LIMITED once the origin has used its time, and the errors of `encode` */
  return async function spend<T>(origin: string, encode: () => Promise<T>): Promise<T> {
    const key = networkOf(origin);
    const began = now();
    let use = uses.get(key);
    if (!use || use.until <= began) uses.set(key, (use = { milliseconds: 0, until: began + WINDOW }));
    if (use.milliseconds >= BUDGET)
      throw rateLimited("your pictures took long to process", Math.ceil((use.until - began) / 1_000));
    try {
      return await encode();
    } finally {
      use.milliseconds += now() - began;
    }
  };
}

import { LRUCache } from "lru-cache";
import { BlogError } from "../errors.ts";
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
    if (use.milliseconds >= BUDGET) throw exhausted(use.until - began);
    try {
      return await encode();
    } finally {
      use.milliseconds += now() - began;
    }
  };
}

function exhausted(milliseconds: number): BlogError {
  const minutes = Math.ceil(milliseconds / 60_000);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new BlogError("RATE_LIMITED", `your pictures took long to process, please try again in ${wait}`, {
    retryAfter: Math.ceil(milliseconds / 1_000),
  });
}

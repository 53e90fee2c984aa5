import dns from "node:dns/promises";
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { inTime } from "../with-deadline.ts";

/** Milliseconds until addresses are looked up again, as long as they are used meanwhile, and to wait for others. */
const FRESH = 10_000;
const USABLE = 60_000;
const PATIENCE = 2_000;
const MAX_ADDRESSES = 20;

const known = new Map<string, { addresses: LookupAddress[]; foundAt: number }>();
const pending = new Map<string, Promise<LookupAddress[]>>();
let lastLookup: Promise<unknown> = Promise.resolve();

/**
 * The addresses of a service; older ones while DNS does not answer. One lookup runs at a time, since none can be cancelled: Node
 * has two threads for them, and new connections to the database need one. @throws an error of `dns.lookup`, or ETIMEDOUT
 */
export async function findAddresses(host: string): Promise<LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const entry = known.get(host);
  const age = entry ? performance.now() - entry.foundAt : Infinity;
  if (entry && age < FRESH) return entry.addresses;
  const found = inTime(pending.get(host) ?? lookUp(host), PATIENCE, "DNS does not answer");
  if (!entry) return found;
  const older = found.catch(() => {
    entry.foundAt = performance.now() - FRESH;
    return entry.addresses;
  });
  return age < USABLE ? entry.addresses : older;
}

function lookUp(host: string): Promise<LookupAddress[]> {
  const found = lastLookup.then(async () => {
    const addresses = (await dns.lookup(host, { all: true })).slice(0, MAX_ADDRESSES);
    known.set(host, { addresses, foundAt: performance.now() });
    return addresses;
  });
  pending.set(host, found);
  lastLookup = found.catch(() => undefined).finally(() => pending.delete(host));
  return found;
}

export const toLookup =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  };

export const lookup: LookupFunction = (host, options, done) =>
  void findAddresses(host).then(
    (addresses) => toLookup(addresses)(host, options, done),
    (error: NodeJS.ErrnoException) => done(error, []),
  );

export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

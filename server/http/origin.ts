import { isIP } from "node:net";
import { LRUCache } from "lru-cache";

/** `192.0.2.1:5000` and `[2001:db8::1]:5000`, as some proxies write them. */
const WITH_PORT = /^\[?(\d+(?:\.\d+){3}|[\da-f:.%]+(?=\]))\]?(?::\d+)?$/i;

const origins = new LRUCache<string, string>({ max: 1_000 });

/** The key of limits: an IPv4 address, or the /64 of IPv6, which one subscriber owns. `unknown` for anything else. */
export function originOf(address = ""): string {
  const known = origins.get(address);
  if (known !== undefined) return known;
  const origin = parseOrigin(address);
  origins.set(address, origin);
  return origin;
}

function parseOrigin(address: string): string {
  const [, bare = address] = WITH_PORT.exec(address) ?? [];
  const plain = bare.replace(/^::ffff:(?=\d+\.)/i, "").split("%")[0] ?? "";
  const version = isIP(plain);
  if (version === 4) return plain;
  return version === 6 ? `${firstGroups(plain)}::/64` : "unknown";
}

/** The first four groups, without leading zeros. */
function firstGroups(address: string): string {
  const [head = "", tail] = address.split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  // A trailing IPv4 address counts as two groups.
  const length = [...before, ...after].reduce((sum, group) => sum + (group.includes(".") ? 2 : 1), 0);
  const zeros = tail === undefined ? [] : Array<string>(8 - length).fill("0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}

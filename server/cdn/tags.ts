import { createHash } from "node:crypto";
import type { CacheTag } from "../domain/ports.ts";

/** Tags of a response, 26 bytes of its head each: nginx accepts 4 kB. Beyond this it depends on everything. */
const MAX_TAGS = 80;

/**
 * Maps cache tags to those of a CDN: hashes, which are short, show no ids, and differ between sites that share a service of the
 * CDN. Two further tags replace those that a CDN does not support: `all` is on every response, `any` on those that depend on everything.
 */
export function createCdnTags(site: string) {
  const hashOf = (tag: string) => createHash("sha256").update(`${site} ${tag}`).digest("hex").slice(0, 12);
  const [all, any] = [hashOf("all"), hashOf("any")];
  return {
    ofResponse: (tags: ReadonlySet<CacheTag>): string[] =>
      tags.has("*") || tags.size > MAX_TAGS ? [all, any] : [all, ...[...tags].map(hashOf)],
    ofPurge: (tags: readonly CacheTag[]): string[] =>
      tags.includes("*") ? [all] : [any, ...tags.map(hashOf)],
    unused: hashOf("unused"),
  };
}

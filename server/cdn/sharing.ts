import type { CacheTag } from "../domain/ports.ts";
import { addVary } from "../http/vary.ts";
import type { PurgeForm } from "./purge-requests.ts";
import { createCdnTags } from "./tags.ts";

/** Seconds after `maxAge` in which a CDN may send a response once more while it requests the next one. */
const STALE = 60;

/** Headers on which responses of the APIs depend, besides the token: a CDN knows them only from Vary. */
const API_HEADERS = ["Accept", "Content-Type", "X-GraphQL-Cost"];

type Headers = Record<string, string>;

/** @returns further headers, with which a CDN may store the response; null if it may not */
type Share = (headers: Headers, tags: ReadonlySet<CacheTag>) => Headers | null;

export type SharingOptions = { site: string; maxAge: number; form: PurgeForm };

/** Only for responses that the response cache can store too. */
export function openSharing({ site, maxAge, form }: SharingOptions): Share {
  const { ofResponse } = createCdnTags(site);
  // `must-revalidate` keeps browsers from sending a stale response, which `stale-while-revalidate` would allow them.
  const control = `public, max-age=0, must-revalidate, s-maxage=${maxAge}, stale-while-revalidate=${STALE}`;
  return (headers, tags) => {
    if (headers["cache-control"] !== "no-cache") return null;
    const isOfApi = headers["vary"]?.includes("Authorization");
    const vary = isOfApi ? addVary(headers["vary"], ...API_HEADERS) : headers["vary"];
    // Cloudflare ignores Vary.
    if (form === "cloudflare" && ![undefined, "Accept-Encoding"].includes(vary)) return null;
    const names = ofResponse(tags);
    return {
      "cache-control": control,
      "surrogate-key": names.join(" "),
      "cache-tag": names.join(","),
      ...(vary && { vary }),
    };
  };
}

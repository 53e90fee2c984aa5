import type { RateLimitState } from "../domain/context.ts";

/** The headers of draft-ietf-httpapi-ratelimit-headers; the last three have the names of its older versions. */
export const rateLimitHeaderNames = [
  "RateLimit-Policy",
  "RateLimit",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
] as const;

export function rateLimitHeaders(state: RateLimitState | null): Record<string, string> {
  if (!state) return {};
  const { policy, limit, window, remaining, reset } = state;
  return {
    "ratelimit-policy": `"${policy}";q=${limit};w=${window}`,
    ratelimit: `"${policy}";r=${remaining};t=${reset}`,
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(reset),
  };
}

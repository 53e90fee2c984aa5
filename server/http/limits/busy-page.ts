import type { FastifyReply, FastifyRequest } from "fastify";

export type FindCachedPage = (request: FastifyRequest, form: "current" | "stale") => CachedPage | null;
type CachedPage = { headers: Record<string, string>; body: Buffer | null };

/** Seconds. */
export const RETRY_AFTER = 5;

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Please come back in a moment</title>
<h1>Please come back in a moment</h1>
<p>More people are reading here just now than we can serve. Load this page again in a few seconds.</p>
</html>
`;

export function sendBusyPage(reply: FastifyReply, cached: CachedPage | null): FastifyReply {
  if (cached) return reply.code(200).headers(cached.headers).send(cached.body);
  return reply
    .code(503)
    .header("retry-after", RETRY_AFTER)
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(page);
}

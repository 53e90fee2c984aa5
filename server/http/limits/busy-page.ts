import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { bodyOf, headersOf, type Compressible } from "../compression.ts";

export type FindCachedPage = (request: FastifyRequest, form: "current" | "stale") => CachedPage | null;
type CachedPage = Compressible & { headers: Record<string, string> };

/** Requests of pages that have waited for builds of others as long as they may: further builds of a page would delay all. */
export const lateRequests = new WeakSet<IncomingMessage>();

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

export function sendCachedPage(reply: FastifyReply, cached: CachedPage): FastifyReply {
  const { headers, compressed } = cached;
  const body = bodyOf(cached);
  reply.code(200).headers(body ? headers : headersOf(headers, Infinity, "gzip"));
  return reply.send(body ?? compressed.gzip);
}

export function sendBusyPage(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header("retry-after", RETRY_AFTER)
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(page);
}

import type { FastifyReply } from "fastify";

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

export const sendBusyPage = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .header("retry-after", RETRY_AFTER)
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(page);

import type { FastifyInstance } from "fastify";
import { badInput } from "../errors.ts";

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Refuses a repeated or invalid Host header: libraries build URLs from it. HTTP/1.0 may omit it. */
export function checkHosts(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers, rawHeaders } = request.raw;
    const count = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
    headers.host ??= "localhost";
    // `request.host` is X-Forwarded-Host if a proxy is trusted.
    done(
      count > 1 || !HOST.test(headers.host) || !HOST.test(request.host)
        ? badInput("the Host header is not valid")
        : undefined,
    );
  });
}

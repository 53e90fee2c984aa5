import type { FastifyInstance } from "fastify";
import { badInput } from "../errors.ts";

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const HOST = /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Refuses requests whose Host header is given twice or is no host: libraries build addresses from it. HTTP/1.0 may
 * leave it out.
 */
export function checkHosts(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers, rawHeaders } = request.raw;
    const count = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
    headers.host ??= "localhost";
    // The same of X-Forwarded-Host, where a proxy is trusted.
    done(
      count > 1 || !HOST.test(headers.host) || !HOST.test(request.host)
        ? badInput("the Host header is not valid")
        : undefined,
    );
  });
}

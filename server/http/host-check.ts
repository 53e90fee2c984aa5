import type { FastifyInstance } from "fastify";
import { badInput } from "../errors.ts";

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

const isValid = (host: string) => HOST.test(host) && URL.canParse(`http://${host}`);

/** Refuses a repeated or invalid Host header, or scheme of a proxy: libraries build URLs from them. HTTP/1.0 may omit the host. */
export function checkHosts(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers, rawHeaders } = request.raw;
    const count = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
    headers.host ??= "localhost";
    // `host` and `protocol` are those of X-Forwarded-Host and -Proto if a proxy is trusted.
    const { host, protocol } = request;
    if (count > 1 || !isValid(headers.host) || !isValid(host)) done(badInput("the Host header is not valid"));
    else if (!/^https?$/i.test(protocol)) done(badInput("the X-Forwarded-Proto header is not valid"));
    else done();
  });
}

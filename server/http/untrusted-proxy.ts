import type { FastifyInstance } from "fastify";

/**
 * Warns once where a proxy forwards requests and is not trusted: all people behind it then share what one origin
 * may do, a hundred failed sign-ins an hour for instance.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, trustProxy: unknown): void {
  let isWarned = trustProxy !== false;
  app.addHook("onRequest", (request, _reply, done) => {
    const { "x-forwarded-for": addresses, forwarded } = request.headers;
    if (!isWarned && (addresses ?? forwarded) !== undefined) {
      isWarned = true;
      request.log.warn(
        "a request came with a forwarding header, and TRUST_PROXY is off: everybody behind that proxy counts as one " +
          "origin. If the proxy is yours, set TRUST_PROXY to the number of proxies, or to their addresses.",
      );
    }
    done();
  });
}

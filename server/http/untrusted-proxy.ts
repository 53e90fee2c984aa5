import type { FastifyInstance } from "fastify";

/** Warns once if an untrusted proxy forwards requests: all its clients share the rate limits of one origin. */
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

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** A request with a header of a proxy is not local, whatever its socket address is. */
const forwardingHeaders = [
  ...["forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip"],
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-server"],
];

/** @param host a name or address without a port */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|\[?::1\]?)$/i.test(host) || (isIP(host) === 4 && host.startsWith("127."));

export const isLoopbackAddress = (address = ""): boolean => isLoopbackHost(address.replace(/^::ffff:/i, ""));

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

/**
 * Whether a request comes from this machine: loopback socket, Host and Origin, and no forwarding header. HTTP/1.0 does
 * not count, since nginx before 1.29.7 speaks it by default and no browser does. A proxy that adds no header and
 * speaks HTTP/1.1 cannot be detected: check PUBLIC_URL too.
 */
export function isLocalRequest({ socket, headers, httpVersion }: IncomingMessage): boolean {
  const { host = "", origin } = headers;
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    httpVersion !== "1.0" &&
    forwardingHeaders.every((name) => headers[name] === undefined) &&
    isLoopbackUrl(`http://${host}`) &&
    (origin === undefined || isLoopbackUrl(origin))
  );
}

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** Headers that proxies add. A request with one of them has come from elsewhere, whatever its socket says. */
const forwardingHeaders = [
  ...["forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip"],
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-server"],
];

/** Whether a name or address, without a port, can only be this machine. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|\[?::1\]?)$/i.test(host) || (isIP(host) === 4 && host.startsWith("127."));

const isLoopbackAddress = (address = "") => isLoopbackHost(address.replace(/^::ffff:/i, ""));

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

/**
 * Whether a request comes from this machine itself, as far as can be told: by its socket, without a forwarding
 * header, addressed to and sent by loopback names only. HTTP/1.0 is what nginx before 1.29.7 speaks unless it is told
 * otherwise, and no browser. A proxy that adds no header and speaks HTTP/1.1 cannot be recognised: PUBLIC_URL tells it.
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

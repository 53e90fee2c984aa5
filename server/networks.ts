/**
 * The network around an origin, which one subscriber may have as a whole: the /48 of an IPv6 address. An IPv4 address
 * is its own.
 */
export const networkOf = (origin: string): string =>
  origin.replace(/^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/, "$1::/48");

/** The network that one subscriber may own: the /48 of an IPv6 origin, or the IPv4 address itself. */
export const networkOf = (origin: string): string =>
  origin.endsWith("::/64") ? origin.replace(/^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/, "$1::/48") : origin;

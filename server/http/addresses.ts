import type { FastifyInstance } from "fastify";

export type AddressKind = "page" | "api" | "graphql" | "asset" | "media" | "monitoring";

export const API = "/api";
export const GRAPHQL = "/graphql";
export const ASSETS = "/assets/";
export const MEDIA = "/media/";
/** Route of the pages: every path without a route of its own. */
export const PAGES = "/*";

/** As in the client's `config/paths.ts`. */
export const postPath = (id: string) => `/posts/details/${id}`;
export const categoryPath = (title: string) => `/posts/categories/${encodeURIComponent(title)}`;
export const tagPath = (name: string) => `/posts/tags/${encodeURIComponent(name)}`;
export const profilePath = (id: string) => `/profile/${id}`;

const kinds: Record<string, AddressKind> = {
  ...{ [API]: "api", [GRAPHQL]: "graphql", [ASSETS]: "asset", [MEDIA]: "media" },
  ...{ "/health": "monitoring", "/ready": "monitoring", "/metrics": "monitoring" },
};
const PREFIX = /^\/(?:(?:api|graphql)(?=[/?]|$)|(?:assets|media)\/|(?:health|ready|metrics)(?=\?|$))/;

/** The kind of resource that a URL addresses, even if it does not exist. The first segment decides; monitoring has no paths below it. */
export const kindOf = (url: string): AddressKind => kinds[PREFIX.exec(url)?.[0] ?? ""] ?? "page";

/** Pages with a token in their path: a password reset, a verification and a preview. */
const TOKEN_PAGE = /\/(reset-password|users|preview)\/.*$/i;

/** Longer than ids, and shorter than tokens. */
const SECRET = /[\w%-]{40,}/g;

/** Removes the rest of the path after the name of such a page, and anything that looks like a token, also from a full URL. */
export const redactToken = (address: string): string =>
  address.replace(TOKEN_PAGE, "/$1/…").replace(SECRET, "…");

/** Route in the log and the metrics: a pattern, since a URL may contain a token. Unknown paths count as pages. */
export const routeLabel = (pattern: string | undefined) =>
  pattern === undefined || pattern === PAGES ? "page" : pattern;

/** Passes GET and HEAD of unknown paths to the not-found handler, which the route of the pages would bypass. */
export function excludeFromPages(app: FastifyInstance, url: string): void {
  app.route({ method: ["GET", "HEAD"], url, handler: (_request, reply) => void reply.callNotFound() });
}

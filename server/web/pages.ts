import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { createBulkhead } from "../queue.ts";
import type { Assets, PageAssets } from "./assets.ts";
import { sendBusyPage } from "../http/busy-page.ts";
import type { Turns } from "../http/event-loop-scheduler.ts";

/** Runs a GraphQL document in this process, as a visitor. */
export type ExecuteAsVisitor = (request: {
  query: unknown;
  variables: Record<string, unknown>;
  operationName?: string;
}) => Promise<{ data?: unknown; errors?: unknown }>;

/** What the client's server entry offers; it is loaded as a build product, never imported. */
export type ClientEntry = {
  /** The one inline script, allowed by its hash. */
  bootScript: string;
  render: (page: {
    url: string;
    siteTitle: string;
    execute: ExecuteAsVisitor;
    assetsOf: (pageModule: string) => PageAssets;
  }) => Promise<{ status: number; html: string }>;
};

type Options = {
  client: ClientEntry;
  assets: Assets;
  siteTitle: string;
  executeFor: (request: FastifyRequest) => ExecuteAsVisitor;
  originOf: (request: FastifyRequest) => string;
  turns: Turns;
  limits: Limits;
};

export const loadClient = async (dist: string): Promise<ClientEntry> =>
  (await import(pathToFileURL(join(dist, "server/entry-server.js")).href)) as ClientEntry;

/** Every address that is nobody else's is a page, rendered as a visitor sees it: the same for all. */
export function servePages(app: FastifyInstance, options: Options): void {
  const { client, assets, siteTitle, executeFor, originOf, turns, limits } = options;
  const drawing = createBulkhead("pages", { timeoutMs: limits.wait });
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isPage(request)) return reply.code(404).type("text/plain; charset=utf-8").send("Not Found\n");
    const page = { url: request.url, siteTitle, execute: executeFor(request), assetsOf: assets.of };
    const drawn = await drawing(async () => {
      // Nothing else runs while a page is drawn: between two of them everybody else has a turn.
      await turns.next();
      return client.render(page);
    }, originOf(request)).catch(nullIfBusy);
    if (!drawn) return sendBusyPage(reply);
    const { status, html } = drawn;
    if (status === 503) reply.header("retry-after", 5);
    reply.header("cache-control", "no-cache");
    // The address holds a token: nobody keeps the page, and no other site is told of it.
    if (hasToken.test(request.url))
      reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
    return reply.code(status).type("text/html; charset=utf-8").send(html);
  });
}

const hasToken = /^\/(reset-password|users)\//;

function nullIfBusy(error: unknown): null {
  if (error instanceof BlogError && error.code === "UNAVAILABLE") return null;
  throw error;
}

const isPage = ({ method, url }: FastifyRequest) =>
  (method === "GET" || method === "HEAD") && !/^\/(assets|media)\//.test(url);

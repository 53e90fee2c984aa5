import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Assets, PageAssets } from "./assets.ts";

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
};

export const loadClient = async (dist: string): Promise<ClientEntry> =>
  (await import(pathToFileURL(join(dist, "server/entry-server.js")).href)) as ClientEntry;

/** Every address that is nobody else's is a page, rendered as a visitor sees it: the same for all. */
export function servePages(app: FastifyInstance, { client, assets, siteTitle, executeFor }: Options): void {
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isPage(request)) return reply.code(404).type("text/plain; charset=utf-8").send("Not Found\n");
    const execute = executeFor(request);
    const { status, html } = await client.render({
      url: request.url,
      siteTitle,
      execute,
      assetsOf: assets.of,
    });
    if (status === 503) reply.header("retry-after", 5);
    return reply.code(status).header("cache-control", "no-cache").type("text/html; charset=utf-8").send(html);
  });
}

const isPage = ({ method, url }: FastifyRequest) =>
  (method === "GET" || method === "HEAD") && !/^\/(assets|media)\//.test(url);

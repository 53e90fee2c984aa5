import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readAssets, type PageAssets } from "./assets.ts";

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
  dist: string;
  siteTitle: string;
  executeFor: (request: FastifyRequest) => ExecuteAsVisitor;
};

export const loadClient = async (dist: string): Promise<ClientEntry> =>
  (await import(pathToFileURL(join(dist, "server/entry-server.js")).href)) as ClientEntry;

export const bootScriptHash = (client: ClientEntry) =>
  `'sha256-${createHash("sha256").update(client.bootScript).digest("base64")}'`;

/** Every address that is nobody else's is a page, rendered as a visitor sees it: the same for all. */
export function servePages(app: FastifyInstance, { client, dist, siteTitle, executeFor }: Options): void {
  const assetsOf = readAssets(join(dist, "client"));
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isPage(request)) return reply.code(404).type("text/plain; charset=utf-8").send("Not Found\n");
    const execute = executeFor(request);
    const { status, html } = await client.render({ url: request.url, siteTitle, execute, assetsOf });
    return reply.code(status).header("cache-control", "no-cache").type("text/html; charset=utf-8").send(html);
  });
}

const isPage = ({ method, url }: FastifyRequest) =>
  (method === "GET" || method === "HEAD") && !/^\/(assets|media)\//.test(url);

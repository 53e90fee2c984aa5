import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { networkOf } from "../networks.ts";
import { createBulkhead } from "../queue.ts";
import type { Assets, PageAssets } from "./assets.ts";
import { PAGES } from "../http/addresses.ts";
import { createPagePolicies } from "../http/security-headers.ts";
import { sendBusyPage, type FindStalePage } from "../http/limits/busy-page.ts";
import type { Scheduler } from "../http/limits/event-loop-scheduler.ts";
import { serveServiceWorker } from "./service-worker.ts";

/** Executes a GraphQL document in process, without a viewer. */
export type ExecuteAsVisitor = (request: {
  query: unknown;
  variables: Record<string, unknown>;
  operationName?: string;
}) => Promise<{ data?: unknown; errors?: unknown }>;

/** Exports of the client's server entry, which is loaded from the build and never imported. */
export type ClientEntry = {
  bootScript: string;
  /** The page that a URL leads to, whose object may not exist. `token`: its URL has a secret. `module`: its source file. */
  describePage: (url: string) => { exists: boolean; access: "public" | "token"; module: string };
  render: (page: {
    url: string;
    siteTitle: string;
    siteUrl: string;
    settings: { offlineReading: boolean; hasMailServer: boolean };
    execute: ExecuteAsVisitor;
    assets: PageAssets;
    schedule: (pass: () => string) => Promise<string>;
  }) => Promise<{ status: number; html: string }>;
};

type Options = {
  client: ClientEntry;
  assets: Assets;
  siteTitle: string;
  publicUrl: string;
  mediaPublicUrl?: string | undefined;
  hasMailServer: boolean;
  executeFor: (request: FastifyRequest) => ExecuteAsVisitor;
  originOf: (request: FastifyRequest) => string;
  findStalePage: FindStalePage;
  scheduler: Scheduler;
  limits: Limits;
};

export const loadClient = async (dist: string): Promise<ClientEntry> =>
  (await import(pathToFileURL(join(dist, "server/entry-server.js")).href)) as ClientEntry;

/** Renders every other path as a page for visitors, the same for all. Other methods are not found. */
export function servePages(app: FastifyInstance, options: Options): void {
  const { client, assets, siteTitle, publicUrl, hasMailServer, scheduler, limits } = options;
  const { executeFor, originOf, findStalePage } = options;
  serveServiceWorker(app, assets);
  const policyOf = createPagePolicies({ ...options, script: client.bootScript });
  const limitPages = createBulkhead("pages", { timeoutMs: limits.wait });
  const limitRefreshes = createBulkhead("refreshes", { timeoutMs: limits.stale.after });
  const nextTurn = (request: FastifyRequest) => scheduler.next(networkOf(originOf(request)));
  // A permit for the first pass only: if new pages came before those that have begun, few would be finished under load.
  const schedulerFor = (request: FastifyRequest, isRefresh: boolean) => {
    let hasBegun = isRefresh;
    return async (pass: () => string) => {
      const run = () => nextTurn(request).then(pass);
      if (hasBegun) return run();
      hasBegun = true;
      return limitPages(run, originOf(request));
    };
  };
  const executorFor = (request: FastifyRequest): ExecuteAsVisitor => {
    const execute = executeFor(request);
    return async (operation) => {
      const result = await execute(operation);
      await nextTurn(request);
      return result;
    };
  };
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const { exists, access, module } = client.describePage(request.url);
    if (!exists && isFile(request.url)) return sendNotFound(reply);
    const settings = { offlineReading: assets.worker !== null, hasMailServer };
    const pageAssets = assets.of(module);
    const site = { siteTitle, siteUrl: publicUrl, settings, assets: pageAssets };
    const stale = findStalePage(request);
    // Pages that have no stale form come first.
    if (stale && limitPages.isFull()) return sendBusyPage(reply, stale);
    const [execute, schedule] = [executorFor(request), schedulerFor(request, stale !== null)];
    const render = () => client.render({ ...site, url: request.url, execute, schedule });
    const rendering = stale ? limitRefreshes(render, originOf(request)) : render();
    const rendered = await rendering.catch(nullIfBusy);
    if (!rendered) return sendBusyPage(reply, findStalePage(request));
    const { status, html } = rendered;
    if (status === 503) reply.header("retry-after", 5);
    reply.header("cache-control", "no-cache").header("content-security-policy", policyOf(pageAssets.sheet));
    // Each header delays the page on a slow connection.
    reply.removeHeader("access-control-expose-headers");
    // The URL contains a secret: forbid caching, and send no referrer.
    if (access !== "public")
      reply
        .header("cache-control", "no-store")
        .header("referrer-policy", "no-referrer")
        .header("x-robots-tag", "noindex");
    return reply.code(status).type("text/html; charset=utf-8").send(html);
  };
  app.route({ method: ["GET", "HEAD"], url: PAGES, handler: sendPage });
  app.setNotFoundHandler((_request, reply) => sendNotFound(reply));
}

const sendNotFound = (reply: FastifyReply) =>
  reply.code(404).type("text/plain; charset=utf-8").send("Not Found\n");

function nullIfBusy(error: unknown): null {
  if (error instanceof BlogError && error.code === "UNAVAILABLE") return null;
  throw error;
}

/** A path such as /logo.png or /wp-login.php: a missing file gets a short response. */
const isFile = (url: string) => /\.[a-z0-9]{1,12}$/i.test(url.split("?")[0] ?? "");

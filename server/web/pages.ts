import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BlogError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { networkOf } from "../networks.ts";
import { createBulkhead, delayRelease, OthersQueueError } from "../queue.ts";
import type { Assets, PageAssets } from "./assets.ts";
import { PAGES, postPath } from "../http/addresses.ts";
import { createPagePolicies } from "../http/security-headers.ts";
import {
  lateRequests,
  RETRY_AFTER,
  sendBusyPage,
  sendCachedPage,
  type FindCachedPage,
} from "../http/limits/busy-page.ts";
import type { Scheduler } from "../http/limits/event-loop-scheduler.ts";
import { sendNotFound } from "./feeds.ts";
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
  describePage: (url: string) => {
    exists: boolean;
    path: string;
    access: "public" | "token";
    module: string;
  };
  render: (page: {
    url: string;
    siteTitle: string;
    siteUrl: string;
    settings: { offlineReading: boolean; hasMailServer: boolean };
    execute: ExecuteAsVisitor | null;
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
  findCachedPage: FindCachedPage;
  markPartial: (request: FastifyRequest) => void;
  scheduler: Scheduler;
  limits: Limits;
};

export const loadClient = async (dist: string): Promise<ClientEntry> =>
  (await import(pathToFileURL(join(dist, "server/entry-server.js")).href)) as ClientEntry;

/** Renders every other path as a page for visitors, the same for all. Other methods are not found. */
export function servePages(app: FastifyInstance, options: Options): void {
  const { client, assets, siteTitle, publicUrl, hasMailServer, findCachedPage, markPartial } = options;
  serveServiceWorker(app, assets);
  const policyOf = createPagePolicies({ ...options, script: client.bootScript });
  const { render, isFull } = openPageRenderer(options);
  const renderPartial = openPartialPages(client);
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const { exists, path, access, module } = client.describePage(request.url);
    if (!exists && isFile(request.url)) return sendNotFound(reply);
    // Each header delays the page on a slow connection.
    reply.removeHeader("access-control-expose-headers");
    const settings = { offlineReading: assets.worker !== null, hasMailServer };
    const pageAssets = assets.of(module);
    const site = { siteTitle, siteUrl: publicUrl, settings, assets: pageAssets };
    const stale = findCachedPage(request, "stale");
    // Pages that have no stale form come first.
    if (stale && isFull()) return sendCachedPage(reply, stale);
    // Only browsers read the data of a page, and say so; others, such as search engines, come back after a 503.
    const isBrowser = request.headers["sec-fetch-mode"] === "navigate";
    const wait = { isRefresh: stale !== null, mayWait: stale === null && !isBrowser };
    const isLate = lateRequests.has(request.raw);
    const result = isLate ? new OthersQueueError() : await render(request, site, wait).catch(errorIfBusy);
    const rendered = result instanceof Error ? null : result;
    const cached = rendered ? null : (findCachedPage(request, "current") ?? findCachedPage(request, "stale"));
    if (cached) return sendCachedPage(reply, cached);
    if (!rendered && !(result instanceof OthersQueueError)) return sendBusyPage(reply);
    const { html, ...page } = rendered ?? (await renderPartial(path, site));
    if (!rendered) markPartial(request);
    const status = rendered || isBrowser ? page.status : 503;
    if (status === 503) reply.header("retry-after", RETRY_AFTER);
    reply
      .header("cache-control", rendered ? "no-cache" : "no-store")
      .header("content-security-policy", policyOf(pageAssets.sheet));
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

/** Bytes of the data of a large page; most have 6 to 20 kB. A list has cards of many authors, and must not wait for large posts. */
const LARGE = { post: 64 * 1024, list: 128 * 1024 };

const isLarge = (data: unknown, url: string) =>
  sizeOf(data) > (url.startsWith(postPath("")) ? LARGE.post : LARGE.list);

/** Bytes of the texts, since JSON has six for a control character. Without comments, by which others could make a post large. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  let size = 0;
  for (const [key, part] of Object.entries(value)) if (key !== "comments") size += key.length + sizeOf(part);
  return size;
}

type Site = Omit<Parameters<ClientEntry["render"]>[0], "url" | "execute" | "schedule">;

/** Pages without their data. Each path has one for all its URLs, which takes no work, so that no reader has to be refused. */
function openPartialPages({ render }: ClientEntry) {
  const pages = new Map<string, Promise<{ status: number; html: Buffer }>>();
  async function build(path: string, site: Site) {
    const schedule = async (pass: () => string) => pass();
    const { status, html } = await render({ ...site, url: path, execute: null, schedule });
    return { status, html: Buffer.from(html) };
  }
  return (path: string, site: Site) => {
    const found = pages.get(path);
    if (found) return found;
    const page = build(path, site);
    pages.set(path, page);
    page.catch(() => pages.delete(path));
    return page;
  };
}

/** `mayWait`: whether to wait `limits.wait` instead of `limits.stale.after`, since the reader can get no other form of the page. */
type Wait = { isRefresh: boolean; mayWait: boolean };

/** `release`: of a permit that a large page does not need while it waits. */
type Turn = { url: string; origin: string; mayWait: boolean; release: () => void };

/** One large page at a time. One that was large before waits before its data are read. */
function openLargeTurns(limits: Limits) {
  const limitLarge = createBulkhead("large_pages");
  const largeUrls = new LRUCache<string, true>({ max: 1_000, ttl: 10 * 60_000 });

  return ({ url, origin, mayWait, release }: Turn) => {
    let turn: Promise<() => void> | undefined;
    const wait = () => {
      release();
      turn ??= limitLarge.acquire(origin, mayWait ? limits.wait : limits.stale.after).then(delayRelease);
      return Promise.allSettled([turn]);
    };
    if (largeUrls.has(url)) void wait();
    return {
      acquired: () => turn,
      async waitIfLarge(data: unknown): Promise<void> {
        if (!isLarge(data, url)) return;
        largeUrls.set(url, true);
        // The next pass throws its error: here it would be one of the data.
        await wait();
      },
      end: () =>
        turn?.then(
          (end) => end(),
          () => undefined,
        ),
    };
  };
}

/** `render` throws UNAVAILABLE without a permit, and once another request has built the page, which is sent then. */
function openPageRenderer({ client, executeFor, originOf, findCachedPage, scheduler, limits }: Options) {
  const limitPages = createBulkhead("pages", { timeoutMs: limits.wait });
  const limitRefreshes = createBulkhead("refreshes", { timeoutMs: limits.stale.after });
  const openLargeTurn = openLargeTurns(limits);

  function renderWith(request: FastifyRequest, site: Site, wait: Wait, release: () => void) {
    const { url } = request;
    const origin = originOf(request);
    const nextTurn = () => scheduler.next(networkOf(origin));
    const execute = executeFor(request);
    const large = openLargeTurn({ url, origin, mayWait: wait.mayWait, release });
    const rendered = client.render({
      ...site,
      url,
      async execute(operation) {
        const result = await execute(operation);
        await large.waitIfLarge(result.data);
        await nextTurn();
        return result;
      },
      async schedule(pass) {
        await large.acquired();
        await nextTurn();
        if (!wait.isRefresh) release();
        if (findCachedPage(request, "current")) throw alreadyBuilt;
        return pass();
      },
    });
    return rendered.finally(large.end);
  }

  return {
    isFull: limitPages.isFull,

    // A permit until the first pass only: if new pages came before those that have begun, few would be finished under load.
    async render(request: FastifyRequest, site: Site, wait: Wait) {
      const release = await (wait.isRefresh ? limitRefreshes : limitPages).acquire(originOf(request));
      return renderWith(request, site, wait, release).finally(release);
    },
  };
}

const alreadyBuilt = new BlogError("UNAVAILABLE", "another form of the page is sent");

function errorIfBusy(error: unknown): BlogError {
  if (error instanceof BlogError && error.code === "UNAVAILABLE") return error;
  throw error;
}

/** A path such as /logo.png or /wp-login.php: a missing file gets a short response. */
const isFile = (url: string) => /\.[a-z0-9]{1,12}$/i.test(url.split("?")[0] ?? "");

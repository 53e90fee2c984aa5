import { Agent, request } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { pino } from "pino";
import { inject, vi } from "vitest";
import { createApp, type AppOptions } from "../app.ts";
import { openResponseCache } from "../cache/response-cache.ts";
import { openInvalidationListener } from "../data/invalidation-listener.ts";
import { openDatabase } from "../data/client.ts";
import { openPersistence } from "../data/persistence.ts";
import { openReplicas } from "../data/replicas/replicas.ts";
import { usualOptions, type TestApp } from "./app.ts";
import { afterFile } from "./cleanup.ts";
import { poolerOf } from "./database.ts";
import { atServer } from "./database-server.ts";

export type ProcessRequest = { method?: string; headers?: Record<string, string>; body?: string };
export type Process = Awaited<ReturnType<typeof startProcess>>;

type Options = Partial<AppOptions> & { bytes?: number; listenUrl?: string; replicaUrls?: string[] };

/**
 * Starts another application on the database of `blog`, with a port and a response cache. `blog` itself caches
 * nothing, so its responses are the reference.
 * @param options.listenUrl database URL of the connection that listens for invalidations, and asks for positions
 */
export async function startProcess(
  blog: TestApp,
  { bytes = 48 * 1024 * 1024, listenUrl, replicaUrls = replicasOf(blog.url), ...rest }: Options = {},
) {
  const pooler = poolerOf(blog.url);
  const database = openDatabase(pooler ?? blog.url, { pool: 8, poolMode: pooler ? "transaction" : null });
  const changes = openInvalidationListener(listenUrl ?? blog.url);
  const responseCache = openResponseCache(changes, bytes, replicaUrls.length > 0);
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { now } = blog.services;
  const persistence = openPersistence(database, now);
  const primary = { ...database, queries: persistence.queries, changes };
  const replicas = replicaUrls.length > 0 ? openReplicas(replicaUrls, primary, { now, log }) : null;
  const services = {
    ...blog.services,
    ...persistence,
    queries: replicas?.queries ?? persistence.queries,
    invalidate: (...tags: Parameters<typeof changes.publish>[0]) => changes.publish(tags),
  };
  const openReads = replicas?.openReads ?? null;
  const { openPicture } = blog;
  const app = await createApp({
    ...usualOptions,
    log,
    services,
    openReads,
    responseCache,
    openPicture,
    ...rest,
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  afterFile(async () => {
    agent.destroy();
    await app.close();
    replicas?.close();
    await changes.close();
    await database.close();
  });
  await vi.waitUntil(changes.isListening, { timeout: 5_000 });
  await vi.waitUntil(() => !replicas || replicas.each.every(({ isUsed }) => isUsed()), { timeout: 10_000 });
  const ask = (path: string, request: ProcessRequest = {}) => call(agent, port, path, request);
  return {
    ...{
      app,
      port,
      responseCache,
      changes,
      lines,
      ask,
      services,
      replicas,
      readPipeline: database.readPipeline,
    },
    gql: (query: string, headers: Record<string, string> = {}) =>
      ask("/graphql", { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify({ query }) }),
    /** Whether the request is served from the cache. */
    async caches(path: string, request: ProcessRequest = {}): Promise<boolean> {
      const { hits } = responseCache.size();
      await ask(path, request);
      return responseCache.size().hits > hits;
    },
  };
}

function replicasOf(url: string): string[] {
  const topology = inject("topology");
  return topology ? [atServer(topology.replicaUrl, url)] : [];
}

export const json = { "content-type": "application/json" };

type RawResponse = { status: number; headers: Record<string, string | undefined>; raw: Buffer; text: string };

function call(
  agent: Agent,
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: ProcessRequest,
) {
  return new Promise<RawResponse>((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const options = { agent, port, path, method, headers: { ...length, ...headers } };
    const sent = request({ host: "127.0.0.1", ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on("error", reject).on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const raw = Buffer.concat(chunks);
        const decode = { br: brotliDecompressSync, gzip: gunzipSync }[
          response.headers["content-encoding"] ?? ""
        ];
        const plain = raw.length > 0 && decode ? decode(raw) : raw;
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers: headers as RawResponse["headers"], raw, text: plain.toString() });
      });
    });
    sent.on("error", reject).end(body);
  });
}

import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Gauge as PromGauge, Registry } from "prom-client";
import { BlogError, forbidden } from "../errors.ts";
import { isLocalRequest, isLoopbackHost } from "./local-request.ts";
import { bulkheadCounts, refusalCounts } from "../queue.ts";
import { VERSION } from "../version.ts";
import { openDurations } from "./durations.ts";

/** Counters are the metrics whose name ends in `_total`, as is the convention of Prometheus; the others are gauges. */
/** `oldName` is that of older releases, which shows the same: to be removed with the next one. */
export type Metric = { name: string; oldName?: string; help: string } & (
  | { read: () => number | Promise<number> }
  /** The keys are values of the label: few, and none from a request. */
  | { label: string; read: () => Record<string, number> | Promise<Record<string, number>> }
);

/** `route` is a pattern: one series per URL would be unbounded. */
export type Measure = (method: string, route: string, status: number, milliseconds: number) => void;

/** Shared, since tests create several applications in one process. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

/** `bytes` of the cached responses together; `trackers` are responses whose dependencies are being tracked. */
export type CacheSize = { entries: number; bytes: number; hits: number; misses: number; trackers: number };
type Cache = { size: () => CacheSize };

export function openMetrics(metrics: readonly Metric[], responseCache: Cache | null) {
  const registry = new Registry();
  const registers = [registry];
  const durations = openDurations();
  registry.registerMetric(durations.metric);
  const add = (more: readonly Metric[]) =>
    more.flatMap(withOldName).forEach((metric) => register(metric, registers));
  add(metrics);
  add(queueMetrics);
  showVersion(registers);
  if (responseCache) add(cacheMetrics(responseCache));
  return { add, measure: durations.observe, print: () => Registry.merge([ofProcess, registry]).metrics() };
}

const withOldName = ({ oldName, ...metric }: Metric): Metric[] =>
  oldName === undefined ? [metric] : [metric, { ...metric, name: oldName }];

function register(metric: Metric, registers: Registry[]): void {
  const { name, help } = metric;
  const label = "label" in metric ? metric.label : null;
  const read = async () => metric.read();
  const Type = name.endsWith("_total") ? Counter : PromGauge;
  new Type({
    ...{ name, help, registers, labelNames: label === null ? [] : [label] },
    async collect() {
      // A failing metric must not hide the others: they matter most when the database is down.
      const values = await read().catch(() => ({}));
      this.reset();
      if (typeof values === "number") this.inc(values);
      else if (label === null) this.remove();
      else for (const [key, value] of Object.entries(values)) this.inc({ [label]: key }, value);
    },
  });
}

const queueMetrics: Metric[] = [
  {
    name: "blog_bulkhead_running",
    help: "Requests and tasks that hold a permit of a queue, by kind of work.",
    label: "kind",
    read: () => mapValues(bulkheadCounts, ({ running }) => running),
  },
  {
    name: "blog_bulkhead_waiting",
    help: "Requests and tasks that wait in a queue, by kind of work.",
    label: "kind",
    read: () => mapValues(bulkheadCounts, ({ waiting }) => waiting),
  },
  {
    name: "blog_bulkhead_refused_total",
    help: "Requests and tasks that a queue refused because it was full or the wait too long, by kind of work.",
    label: "kind",
    read: () => refusalCounts,
  },
];

const mapValues = <T>(record: Record<string, T>, map: (value: T) => number) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

/** By convention the value is 1 and the labels hold the information. */
function showVersion(registers: Registry[]): void {
  const labels = { version: VERSION, node: process.version };
  const help = "The version of the blog and of Node.js.";
  new PromGauge({ name: "blog_info", help, labelNames: Object.keys(labels), registers }).set(labels, 1);
}

const cacheMetrics = ({ size }: Cache): Metric[] => [
  {
    name: "blog_response_cache_entries",
    oldName: "blog_answers_kept",
    help: "Entries of the response cache.",
    read: () => size().entries,
  },
  {
    name: "blog_response_cache_bytes",
    oldName: "blog_answers_bytes",
    help: "Estimated size of the response cache in bytes.",
    read: () => size().bytes,
  },
  {
    name: "blog_response_cache_tracked_responses",
    oldName: "blog_answers_readings",
    help: "Responses in progress whose dependencies the response cache tracks.",
    read: () => size().trackers,
  },
  {
    name: "blog_response_cache_hits_total",
    oldName: "blog_answers_hits_total",
    help: "Cacheable requests that were served from the response cache.",
    read: () => size().hits,
  },
  {
    name: "blog_response_cache_misses_total",
    oldName: "blog_answers_misses_total",
    help: "Cacheable requests that were not in the response cache.",
    read: () => size().misses,
  },
];

type Access = {
  /** A bearer token. Null: only this machine may read, and not through a proxy on it. */
  metricsToken: string | null;
  publicUrl: string;
};

export function serveMetrics(
  app: FastifyInstance,
  print: () => Promise<string>,
  { metricsToken: token, publicUrl }: Access,
): void {
  const isPublic = !isLoopbackHost(new URL(publicUrl).hostname);
  app.get("/metrics", async (request, reply) => {
    if (token === null) requireThisMachine(request, isPublic);
    else requireToken(request, token);
    reply.header("cache-control", "no-store").type(Registry.PROMETHEUS_CONTENT_TYPE);
    return print();
  });
}

/** Refuses an Origin too: a page open in a local browser may belong to another site. */
function requireThisMachine({ raw }: FastifyRequest, isPublic: boolean): void {
  if (isPublic || raw.headers.origin !== undefined || !isLocalRequest(raw))
    throw forbidden("only from this machine, or with METRICS_TOKEN");
}

const hashOf = (text: string) => createHash("sha256").update(text).digest();

function requireToken({ headers }: FastifyRequest, token: string): void {
  if (!timingSafeEqual(hashOf(headers.authorization ?? ""), hashOf(`Bearer ${token}`)))
    throw new BlogError("UNAUTHENTICATED", "METRICS_TOKEN is needed");
}

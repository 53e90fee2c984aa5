import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Gauge as PromGauge, Registry } from "prom-client";
import { BlogError, forbidden } from "../errors.ts";
import { isLocalRequest, isLoopbackHost } from "./local-request.ts";
import { bulkheadCounts } from "../queue.ts";
import { VERSION } from "../version.ts";
import { openDurations } from "./durations.ts";

/** Something that can be looked at any time. */
export type Gauge = { name: string; help: string; read: () => number | Promise<number> };

/** Notes one answer. `route` is a pattern: an address itself would make a series of its own. */
export type Measure = (method: string, route: string, status: number, milliseconds: number) => void;

/** One process, however many applications tests make in it. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

/** `bytes` of the cached responses together; `readings` are responses whose dependencies are being tracked. */
export type CacheSize = { entries: number; bytes: number; hits: number; misses: number; readings: number };
type Cache = { size: () => CacheSize };

/** Counts answers by method, route and class of status, and shows what the blog's parts tell of themselves. */
export function openMetrics(gauges: readonly Gauge[], answers: Cache | null) {
  const registry = new Registry();
  const registers = [registry];
  const durations = openDurations();
  registry.registerMetric(durations.metric);
  for (const gauge of gauges) showGauge(gauge, registers);
  showBulkheads(registers);
  showVersion(registers);
  if (answers) showAnswers(answers, registers);
  return { measure: durations.observe, print: () => Registry.merge([ofProcess, registry]).metrics() };
}

function showGauge({ name, help, read }: Gauge, registers: Registry[]): void {
  new PromGauge({
    name,
    help,
    registers,
    // Whoever watches a blog wants the rest most of all when the database is away.
    collect() {
      return Promise.resolve(read()).then(
        (value) => this.set(value),
        () => this.reset(),
      );
    },
  });
}

function showBulkheads(registers: Registry[]): void {
  for (const state of ["running", "waiting"] as const)
    new PromGauge({
      name: `blog_bulkhead_${state}`,
      help: `Pieces of work of each kind that are ${state}.`,
      labelNames: ["kind"],
      registers,
      collect() {
        for (const [kind, counts] of Object.entries(bulkheadCounts)) this.set({ kind }, counts[state]);
      },
    });
}

/** As other programs do it: the figure says nothing, the label all. */
function showVersion(registers: Registry[]): void {
  const labels = { version: VERSION, node: process.version };
  const help = "The version of the blog and of Node.js.";
  new PromGauge({ name: "blog_info", help, labelNames: Object.keys(labels), registers }).set(labels, 1);
}

function showAnswers({ size }: Cache, registers: Registry[]): void {
  showGauge(
    { name: "blog_answers_kept", help: "Finished answers kept.", read: () => size().entries },
    registers,
  );
  showGauge(
    { name: "blog_answers_bytes", help: "What they take of the memory.", read: () => size().bytes },
    registers,
  );
  showGauge(
    {
      name: "blog_answers_readings",
      help: "Answers whose dependencies are tracked.",
      read: () => size().readings,
    },
    registers,
  );
  for (const kind of ["hits", "misses"] as const)
    new Counter({
      name: `blog_answers_${kind}_total`,
      help: `Requests for which an answer was kept already: ${kind}.`,
      registers,
      collect() {
        this.reset();
        this.inc(size()[kind]);
      },
    });
}

type Access = {
  /** A bearer token. Null: this machine alone, and not through a proxy on it. */
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

/** A page that is open in a browser on this machine is somebody else, so an Origin is refused too. */
function requireThisMachine({ raw }: FastifyRequest, isPublic: boolean): void {
  if (isPublic || raw.headers.origin !== undefined || !isLocalRequest(raw))
    throw forbidden("only from this machine, or with METRICS_TOKEN");
}

const hashOf = (text: string) => createHash("sha256").update(text).digest();

function requireToken({ headers }: FastifyRequest, token: string): void {
  if (!timingSafeEqual(hashOf(headers.authorization ?? ""), hashOf(`Bearer ${token}`)))
    throw new BlogError("UNAUTHENTICATED", "METRICS_TOKEN is needed");
}

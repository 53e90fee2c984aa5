import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Gauge as PromGauge, Registry } from "prom-client";
import { BlogError, forbidden } from "../errors.ts";
import { isLocalRequest, isLoopbackHost } from "./local-request.ts";
import { bulkheadCounts } from "../queue.ts";
import { VERSION } from "../version.ts";
import { openDurations } from "./durations.ts";

export type Gauge = {
  name: string;
  help: string;
  /** A total since the start instead of a state. */
  isTotal?: true;
  read: () => number | Promise<number>;
};

/** `route` is a pattern: one series per URL would be unbounded. */
export type Measure = (method: string, route: string, status: number, milliseconds: number) => void;

/** Shared, since tests create several applications in one process. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

/** `bytes` of the cached responses together; `readings` are responses whose dependencies are being tracked. */
export type CacheSize = { entries: number; bytes: number; hits: number; misses: number; readings: number };
type Cache = { size: () => CacheSize };

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

function showGauge({ name, help, isTotal, read }: Gauge, registers: Registry[]): void {
  if (isTotal) return showTotal({ name, help, read }, registers);
  new PromGauge({
    name,
    help,
    registers,
    // A failing gauge must not hide the others: they matter most when the database is down.
    collect() {
      return Promise.resolve(read()).then(
        (value) => this.set(value),
        () => this.reset(),
      );
    },
  });
}

function showTotal({ name, help, read }: Gauge, registers: Registry[]): void {
  new Counter({
    name,
    help,
    registers,
    async collect() {
      const total = await read();
      this.reset();
      this.inc(total);
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

/** By convention the value is 1 and the labels hold the information. */
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
    showTotal(
      {
        name: `blog_answers_${kind}_total`,
        help: `Requests for which an answer was kept already: ${kind}.`,
        read: () => size()[kind],
      },
      registers,
    );
}

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

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { openResponseCache } from "../cache/response-cache.ts";
import { openPurges } from "../cdn/purges.ts";
import { replicaMetrics } from "./replica-metrics.ts";
import { databaseMetrics, failureMetric } from "./service-metrics.ts";
import { startTestApp } from "../testing/app.ts";
import { openTestDatabase } from "../testing/database.ts";
import { httpWorkerFile } from "../testing/http-worker.ts";

const read = (file: string) => readFileSync(file, "utf8");
const rules = read("deploy/monitoring/alerts.yml")
  .split(/^ +- alert: /m)
  .slice(1)
  .map((text) => ({ name: text.split("\n")[0] ?? "", text, expr: /^ +expr: (.+)$/m.exec(text)?.[1] ?? "" }));

type Panel = { title: string; targets?: { expr: string }[] };
const { panels } = JSON.parse(read("deploy/monitoring/dashboard.json")) as { panels: Panel[] };
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Metrics of Prometheus itself. */
const ofPrometheus = ["up"];
const METRIC = /\b(?:up|(?:blog|http|process|nodejs)_\w+)\b/g;
const metricsOf = (expr: string): string[] => expr.replace(/"[^"]*"/g, "").match(METRIC) ?? [];

/** Names and types of the metrics of a running blog. */
const types = new Map<string, string>();
beforeAll(async () => {
  const database = await openTestDatabase();
  const failures = failureMetric(
    { countFailures: () => 0 },
    { countFailures: () => ({ uploads: 0, jobs: 0 }) },
  );
  const purges = openPurges(
    { form: "webhook", url: "http://cdn.test", token: undefined, httpWorkerFile },
    "http://blog.test",
  );
  const changes = { publish() {}, onChange() {}, isListening: () => true, close: async () => {} };
  const { app } = await startTestApp({
    publicUrl: "http://localhost:4000",
    responseCache: openResponseCache(changes, 1e6),
    metrics: [
      ...databaseMetrics(database, { pool: 8, readPipeline: 6 }),
      ...replicaMetrics({ each: [], reads: { primary: 0, replica: 0, repeated: 0 } }),
      failures,
      ...purges.metrics,
    ],
  });
  const { body } = await app.inject({ url: "/metrics", remoteAddress: "127.0.0.1" });
  for (const [, name = "", type = ""] of body.matchAll(/^# TYPE (\w+) (\w+)$/gm)) types.set(name, type);
});

const exists = (name: string): boolean =>
  ofPrometheus.includes(name) ||
  types.has(name) ||
  types.get(name.replace(/_(bucket|sum|count)$/, "")) === "histogram";

describe("the files for Prometheus and Grafana", () => {
  test("query only metrics that /metrics has", () => {
    const used = [...rules.map(({ expr }) => expr), ...queries].map(metricsOf);
    expect(used.length).toBeGreaterThan(40);
    for (const names of used) expect(names).not.toEqual([]);
    expect(used.flat().filter((name) => !exists(name))).toEqual([]);
  });

  test("show each metric of the blog on the dashboard", () => {
    const shown = new Set(queries.flatMap(metricsOf));
    const own = [...types.keys()].filter(
      (name) => name.startsWith("blog_") && !/^blog_(letters|answers)_/.test(name),
    );
    expect(own.length).toBeGreaterThan(25);
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
  });

  test("use rates of counters, which only grow", () => {
    const rates = /\b(?:rate|increase)\((\w+)/g;
    for (const expr of [...rules.map((rule) => rule.expr), ...queries])
      for (const name of metricsOf(expr).filter((each) => types.get(each) === "counter"))
        expect([...expr.matchAll(rates)].map((match) => match[1])).toContain(name);
  });

  test("have a severity and a summary for each alert, and an explanation in the operator's manual", () => {
    const manual = read("docs/operating.md");
    expect(rules.length).toBeGreaterThan(10);
    for (const { name, text } of rules) {
      expect(text, name).toMatch(/severity: (critical|warning)/);
      expect(text, name).toMatch(/^ +summary: "\S.*[.?]"$/m);
      expect(manual, name).toContain(`| \`${name}\` |`);
    }
  });
});

test("metrics follow the conventions of Prometheus", async () => {
  for (const [name, type] of types) {
    if (!name.startsWith("blog_")) continue;
    expect(name.endsWith("_total"), name).toBe(type === "counter");
    expect(name).not.toMatch(/_(ms|milliseconds|kb|mb|minutes)\b/);
  }
});

import { ASSUMED, findLimits, fit, needAt, TODAY } from "./model.ts";
import { costTable, faultTable, table, type Report } from "./report.ts";
import { queryTargets, TARGETS, type Target } from "./shards.ts";
import { simulate } from "./simulation.ts";

/** The parts of docs/scaling.md that follow from the figures, the model and the list of queries. */
export function sectionsOf(report: Report): Record<string, string> {
  const fitted = fit(report.costs);
  return {
    run: `Measured on ${report.date}, Node ${report.node}, ${report.cores} cores, load average ${report.load.toFixed(1)}.`,
    faults: faultTable(report.faults),
    costs: costTable(report.costs),
    load: table(
      ["today's load, in the busiest hour", "a second"],
      Object.entries(TODAY.rates).map(([kind, rate]) => [kind, rate]),
    ),
    needs: needTable(fitted),
    limits: table(
      ["limit", "reached at", "then"],
      findLimits(fitted).map(({ name, at, then }) => [
        name,
        at < Infinity ? `${round(at)} ×` : "never",
        then,
      ]),
    ),
    queries: table(
      ["runs on", "queries"],
      (Object.keys(TARGETS) as Target[]).map((target) => [TARGETS[target], namesAt(target)]),
    ),
  };
}

const namesAt = (target: Target) =>
  Object.entries(queryTargets)
    .filter(([, at]) => at === target)
    .map(([name]) => `\`${name}\``)
    .join(", ");

/** To two digits: a model knows no more. */
const round = (value: number) => orDash(Number(value.toPrecision(2)));

/** A dash where no number of processes suffices. */
const orDash = (value: number) => (value === Infinity ? "–" : String(value));

function needTable(fitted: ReturnType<typeof fit>): string {
  const factors = [1, 10, 100, 1_000];
  const needs = factors.map((factor) => needAt(factor, fitted));
  const simulated = factors.map((factor) =>
    simulate(fitted, { factor, seconds: Math.max(0.5, 60 / factor) }),
  );
  const cores = (["Varnish", "HAProxy", "PgBouncer", "primary", "standbys"] as const).map((name) => [
    `cores of ${name}`,
    ...needs.map((need) => round(need[name])),
  ]);
  return table(
    ["", ...factors.map((factor) => `${factor} ×`)],
    [
      ["processes of the blog", ...needs.map(({ processes }) => orDash(processes))],
      ...cores,
      [
        "direct connections to PostgreSQL",
        ...needs.map(({ processes }) => orDash(processes * ASSUMED.directConnections)),
      ],
      ["GB of rows", ...needs.map(({ gigabytes }) => round(gigabytes))],
      ["GB of pictures", ...needs.map((need) => round(need.picturesGigabytes))],
      ["emails a second", ...needs.map(({ emails }) => round(emails))],
      ["open connections of clients", ...needs.map(({ clients }) => clients)],
      ["simulated p50, ms", ...simulated.map(({ p50 }) => round(p50))],
      ["simulated p99, ms", ...simulated.map(({ p99 }) => round(p99))],
    ],
  );
}

/** Replaces what is between the comments `<!-- NAME -->` and `<!-- end -->`. */
export const fillPage = (page: string, sections: Record<string, string>): string =>
  page.replace(
    /<!-- (\w+) -->\n[^]*?<!-- end -->/g,
    (_all, name: string) => `<!-- ${name} -->\n\n${sections[name] ?? "unknown"}\n\n<!-- end -->`,
  );

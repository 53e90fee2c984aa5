import { loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { BASE, contestantsOn, openStandard, textOf, type Contestant } from "./contestants.ts";
import { openServer, type Database } from "./data.ts";
import { goals } from "./goals.ts";
import { load, type Figures } from "./measure.ts";
import { memoryOf } from "./memory.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const SECONDS = Number(process.env["SECONDS"] ?? 2);
/** Names of the workloads to measure. */
const WORKLOADS = process.env["WORKLOADS"]?.split(",");

const print = (line: string) => console.log(line);

/** @throws if a server's responses differ from those of the limit */
async function checkResponses(contestants: Contestant[]): Promise<void> {
  const limit = contestants[0];
  for (const workload of ["W1", "W2", "W5"]) {
    const expected = canonical(JSON.parse(await textOf(limit!.running, limit!.workloads[workload])));
    for (const { running, workloads } of contestants)
      for (const [name, { read }] of Object.entries(workloads).filter(
        ([name]) => name.split(" ")[0] === workload,
      )) {
        const got = canonical(read(JSON.parse(await textOf(running, workloads[name]))));
        if (got !== expected) throw new Error(`${running.name}, ${name}: ${got}\ninstead of ${expected}`);
      }
  }
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, inner) =>
    key === "createdAt"
      ? new Date(inner).getTime()
      : inner && typeof inner === "object" && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
  );

/** Waits until PostgreSQL has finished the statements of closed connections, which would slow down the next server. */
async function settle({ pool }: Database): Promise<void> {
  const busy = `SELECT FROM pg_stat_activity
    WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  while ((await pool.query(busy)).rowCount) await setTimeout(50);
}

/** Measures a workload of all servers in turn before the next workload: the speed of a shared machine changes within a minute. */
async function measure(database: Database, contestants: Contestant[]): Promise<void> {
  const names = new Set(contestants.flatMap(({ workloads }) => Object.keys(workloads)));
  const measured = [...names].filter((name) => !WORKLOADS || WORKLOADS.some((each) => name.includes(each)));
  for (let round = 1; round <= ROUNDS; round++)
    for (const workload of measured)
      // The first ones of a round take up to a fifth more CPU, whatever they are.
      for (const { running, workloads, figures } of round % 2 ? contestants : contestants.toReversed()) {
        const { requests } = workloads[workload] ?? {};
        if (!requests) continue;
        await settle(database);
        const figure = await load(running, requests, SECONDS);
        figures.set(workload, [...(figures.get(workload) ?? []), figure]);
        print(
          `round ${round} of ${ROUNDS}  ${running.name.padEnd(16)} ${workload.padEnd(8)} ${Math.round(figure.perSecond)}/s`,
        );
      }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

async function report(contestants: Contestant[]): Promise<void> {
  const rate = (name: string, workload: string) =>
    median((find(name)?.figures.get(workload) ?? []).map((each) => each.perSecond));
  const find = (name: string) => contestants.find((each) => each.running.name === name);
  const limitOf = (workload: string, name: string) => {
    if (name.startsWith("limit")) return 0;
    const ours = name.includes("cache") ? "blog, cache" : "blog";
    const goal = goals.find((each) => each.ours === ours && each.workload === workload);
    return goal ? rate(goal.limit, goal.of ?? workload) : 0;
  };
  print(
    `\nload average ${loadavg()
      .map((each) => each.toFixed(1))
      .join(" ")}; ${ROUNDS} rounds of ${SECONDS} s\n`,
  );
  print("| server | workload | per second | p50 ms | p99 ms | CPU ms | failed | share of its limit | MB |");
  print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const { running, figures } of contestants) {
    const memory = await memoryOf(running);
    for (const [workload, list] of figures) {
      const middle = (pick: (each: Figures) => number) => median(list.map(pick));
      const limit = limitOf(workload, running.name);
      const share = limit > 0 ? `${Math.round((100 * middle((each) => each.perSecond)) / limit)} %` : "–";
      const cells = [
        Math.round(middle((each) => each.perSecond)),
        middle((each) => each.p50),
        middle((each) => each.p99),
        middle((each) => each.cpu).toFixed(2),
      ];
      print(
        `| ${running.name} | ${workload} | ${cells.join(" | ")} | ${middle((each) => each.failed)} | ${share} | ${memory} |`,
      );
    }
  }
  if (BASE) reportBase(contestants);
  reportGoals(contestants);
}

type Pick = (each: Figures) => number;

/** The median of the ratios of each round. */
const ratioOf = (ours: Figures[] = [], others: Figures[] = [], pick: Pick): number =>
  median(ours.slice(0, others.length).map((each, round) => pick(each) / pick(others[round] as Figures)));

/** The CPU time first, since a busy machine affects it least. Sets the exit code if one is a tenth above the recorded. */
function reportGoals(contestants: Contestant[]): void {
  const figuresOf = (name: string, workload: string) =>
    contestants.find((each) => each.running.name === name)?.figures.get(workload);
  const percent = (value: number) => `${Math.round(value * 100)} %`;
  print("\n| goal | CPU ratio | required | recorded | throughput | required | |");
  print("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
  for (const { row, ours, workload, limit, of = workload, cpu, share } of goals) {
    const both = [figuresOf(ours, workload), figuresOf(limit, of)] as const;
    const [ratio, reached] = [
      ratioOf(...both, (each) => each.cpu),
      ratioOf(...both, (each) => each.perSecond),
    ];
    if (!(reached > 0 && reached < Infinity)) {
      print(`| ${row} | – | | | – | | not measured |`);
      continue;
    }
    const isWorse = cpu !== undefined && ratio > cpu.recorded * 1.1;
    if (isWorse) process.exitCode = 1;
    const isMet = reached >= share && (!cpu || ratio <= cpu.required);
    const verdict = isWorse ? "**worse than recorded**" : isMet ? "met" : "**not met**";
    const ofCpu = cpu
      ? `${ratio.toFixed(2)} | ≤ ${cpu.required} | ${cpu.recorded}`
      : `${ratio.toFixed(2)} | – | –`;
    print(`| ${row} | ${ofCpu} | ${percent(reached)} of ${limit} | ≥ ${percent(share)} | ${verdict} |`);
  }
}

/** CPU per response, compared with the other checkout. */
function reportBase(contestants: Contestant[]): void {
  const find = (name: string) => contestants.find(({ running }) => running.name === name)?.figures;
  const cpuOf = (figures: Figures[]) => median(figures.map(({ cpu }) => cpu)).toFixed(3);
  print("\n| workload | CPU ms | of the base | ratio |\n| --- | ---: | ---: | ---: |");
  for (const name of ["blog", "blog, cache"])
    for (const [workload, ours] of find(name) ?? []) {
      const base = find(`${name}, base`)?.get(workload) ?? [];
      const ratio = ratioOf(ours, base, ({ cpu }) => cpu).toFixed(2);
      print(`| ${name}: ${workload} | ${cpuOf(ours)} | ${cpuOf(base)} | ${ratio} |`);
    }
}

async function main(): Promise<void> {
  const server = await openServer();
  print("seeding …");
  const { database, target } = await openStandard(server.url);
  const contestants = await contestantsOn(database, target);
  try {
    await checkResponses(contestants);
    print("all responses are correct");
    await measure(database, contestants);
    await report(contestants);
  } finally {
    await Promise.all(contestants.map(({ running }) => running.stop()));
    await database.pool.end();
    await server.stop();
  }
}

await main();

// Where the CPU time of a response goes, by layer, beside that of its limit.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { Profiler } from "node:inspector";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { contestantsOn, openStandard, type Contestant } from "./contestants.ts";
import { openServer } from "./data.ts";
import { goals } from "./goals.ts";
import { layerOf, sourceOf } from "./layers.ts";
import { load } from "./measure.ts";

const SECONDS = Number(process.env["SECONDS"] ?? 4);
/** The smallest share that has a row. */
const LEAST = 0.01;

/** Prints so many functions of each server, too. */
const FUNCTIONS = Number(process.env["FUNCTIONS"] ?? 0);

type Layers = Map<string, number>;

/** @returns the milliseconds of a response by layer, `sum` included */
async function profile({ running, workloads }: Contestant, workload: string): Promise<Layers> {
  const { requests } = workloads[workload] ?? { requests: [] };
  await load(running, requests, 2);
  running.child.kill("SIGUSR2");
  await sleep(200);
  const { cpu } = await load(running, requests, SECONDS);
  running.child.kill("SIGUSR2");
  const recorded = JSON.parse(await readProfile(running.child.pid ?? 0)) as Profiler.Profile;
  if (FUNCTIONS > 0) printFunctions(`${running.name}, ${workload}`, recorded);
  const shares = sharesOf(recorded);
  return new Map([
    ["sum", cpu],
    ...[...shares].map(([layer, share]): [string, number] => [layer, share * cpu]),
  ]);
}

async function readProfile(pid: number): Promise<string> {
  const file = join(process.env["PROFILES"] ?? "", `${pid}.json`);
  for (;;) {
    await sleep(500);
    const text = await readFile(file, "utf8").catch(() => "");
    if (!text.endsWith("}")) continue;
    await rm(file);
    return text;
  }
}

/** By samples and not by their times, which on a busy machine include other processes. */
function sharesOf({ nodes, samples = [] }: Profiler.Profile): Layers {
  const layerOfNode = new Map(nodes.map(({ id, callFrame }) => [id, layerOf(callFrame)]));
  const counts: Layers = new Map();
  const layers = samples.flatMap((id) => layerOfNode.get(id) ?? []);
  for (const layer of layers) counts.set(layer, (counts.get(layer) ?? 0) + 1);
  return new Map([...counts].map(([layer, count]) => [layer, count / layers.length]));
}

function printFunctions(title: string, { nodes, samples = [] }: Profiler.Profile): void {
  const names = new Map(
    nodes.map(({ id, callFrame }) => [id, `${callFrame.functionName || "anonymous"} ${sourceOf(callFrame)}`]),
  );
  const counts = new Map<string, number>();
  for (const id of samples) counts.set(names.get(id) ?? "", (counts.get(names.get(id) ?? "") ?? 0) + 1);
  console.log(`\n${title}`);
  for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a).slice(0, FUNCTIONS))
    console.log(`${((100 * count) / samples.length).toFixed(1).padStart(5)} % ${name}`);
}

function print(row: string, ours: Layers, limit: Layers): void {
  console.log(`\n| ${row} | ms | limit | more |\n| --- | ---: | ---: | ---: |`);
  const least = (ours.get("sum") ?? 0) * LEAST;
  const names = [...new Set([...ours.keys(), ...limit.keys()])];
  const both = names.map((name) => ({ name, ours: ours.get(name) ?? 0, limit: limit.get(name) ?? 0 }));
  for (const each of both
    .sort((a, b) => b.ours - a.ours)
    .filter((one) => Math.max(one.ours, one.limit) > least))
    console.log(
      `| ${each.name} | ${each.ours.toFixed(4)} | ${each.limit.toFixed(4)} | ${(each.ours - each.limit).toFixed(4)} |`,
    );
}

process.env["PROFILES"] = await mkdtemp(join(tmpdir(), "blog-profiles-"));
process.env["NODE_OPTIONS"] = `--import=${import.meta.resolve("./profiler.mjs")}`;
const server = await openServer();
const { database, target } = await openStandard(server.url);
const contestants = await contestantsOn(database, target, ["blog", "blog, cache"]);
const find = (name: string) => contestants.find(({ running }) => running.name === name) as Contestant;
try {
  const names = process.env["WORKLOADS"]?.split(",");
  for (const { row, ours, limit, workload, of = workload, cpu } of goals)
    if (cpu && (!names || names.includes(workload)))
      print(row, await profile(find(ours), workload), await profile(find(limit), of));
  console.log(`\nload average ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await Promise.all(contestants.map(({ running }) => running.stop()));
  await database.pool.end();
  await server.stop();
  await rm(process.env["PROFILES"], { recursive: true });
}

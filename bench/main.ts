import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openDatabase, openServer, standard, type Database } from "./data.ts";
import { goals } from "./goals.ts";
import { load, memoryOf, start, type Figures, type Running } from "./measure.ts";
import { constantNames, constantPath, kinds, type Target, type Workload } from "./workloads.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const SECONDS = Number(process.env["SECONDS"] ?? 2);
/** Names of the servers to measure, beside the limits. */
const ONLY = process.env["ONLY"]?.split(/; ?/);
/** The folder of another checkout, prepared by `npm start` there: measured in the same rounds, named "…, base". */
const BASE = process.env["BASE"];
/** Names of the workloads to measure. */
const WORKLOADS = process.env["WORKLOADS"]?.split(",");

type Contestant = { running: Running; workloads: Record<string, Workload>; figures: Map<string, Figures[]> };

const here = import.meta.dirname;
const print = (line: string) => console.log(line);

const startPeer = (name: string, file: string, url: string, env = {}) =>
  start(name, ["node", "--import", import.meta.resolve("tsx"), join(here, "servers", `${file}.ts`)], {
    DATABASE_URL: url,
    TSX_TSCONFIG_PATH: join(here, "tsconfig.json"),
    ...env,
  });

const startBlog = (name: string, url: string, cache: "on" | "off", folder = join(here, "..")) =>
  start(
    name,
    ["node", join(folder, "scripts/start.mjs")],
    {
      DATABASE_URL: url,
      DATA_DIR: join(here, `.data/${name}`),
      READ_CACHE: cache,
      RATE_LIMITS: "off",
      DEMO: "off",
      LOG_LEVEL: "warn",
    },
    folder,
  );

async function contestantsOn({ url }: Database, target: Target): Promise<Contestant[]> {
  const limit = await startPeer("limit-pg", "limit-pg", url);
  const workloads = kinds.limit(target);
  const contestants: Contestant[] = [{ running: limit, workloads, figures: new Map() }];
  const add = async (
    name: string,
    workloads: Record<string, Workload>,
    begin: (name: string) => Promise<Running>,
  ) => {
    if (ONLY && !name.startsWith("limit") && !ONLY.includes(name)) return;
    contestants.push({ running: await begin(name), workloads, figures: new Map() });
  };
  const peer =
    (file: string, env = {}) =>
    (name: string) =>
      startPeer(name, file, url, env);
  const blog = (cache: "on" | "off", folder?: string) => (name: string) =>
    startBlog(name, url, cache, folder);
  const only = (workloads: Record<string, Workload>, names: string[]) =>
    Object.fromEntries(Object.entries(workloads).filter(([name]) => names.includes(name)));
  const ofPeers = kinds.peer(target);
  const ours = kinds.ours(target);
  await add("fastify + pg", kinds.rest(target), peer("fastify-pg"));
  await add("mercurius + jit", ofPeers, peer("mercurius"));
  await add("yoga", ofPeers, peer("yoga"));
  await add("yoga, cache", only(ofPeers, ["W1", "W2"]), peer("yoga", { CACHE: "on" }));
  await add("postgraphile 5", kinds.postgraphile(target), peer("postgraphile"));
  await add("apollo + prisma", ofPeers, peer("apollo-usual"));
  await add("blog", only(ours, ["W1", "W2", "W3", "W5"]), blog("off"));
  await add("blog, cache", only(ours, ["W1", "W2", "W1 GET", "W2 GET", "Home", "Details"]), blog("on"));
  if (BASE) {
    await add("blog, base", only(ours, ["W1", "W2", "W3", "W5"]), blog("off", BASE));
    const names = ["W1", "W2", "W1 GET", "W2 GET", "Home", "Details"];
    await add("blog, cache, base", only(ours, names), blog("on", BASE));
  }
  const cache = contestants.find(({ running }) => running.name === "blog, cache");
  if (!cache) return contestants;
  const CONSTANTS = await constantsOf(cache);
  await add("limit-static", kinds.constants(target), peer("limit-static", { CONSTANTS }));
  return contestants;
}

/** The JSON responses of a server, for `limit-static` to send the same bytes. */
async function constantsOf({ running, workloads }: Contestant): Promise<string> {
  const constants: Record<string, string> = {};
  for (const name of constantNames) constants[constantPath(name)] = await textOf(running, workloads[name]);
  return JSON.stringify(constants);
}

async function textOf({ origin }: Running, workload?: Workload): Promise<string> {
  const request = workload?.requests[0]?.[0];
  if (!request) throw new Error("the workload has no request");
  const { method, path, body, headers } = request;
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(origin + path, { method, body, headers: { ...type, ...headers } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

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

async function measure(database: Database, contestants: Contestant[]): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++)
    // The first ones of a round take up to a fifth more CPU, whatever they are.
    for (const { running, workloads, figures } of round % 2 ? contestants : contestants.toReversed())
      for (const [workload, { requests }] of Object.entries(workloads)) {
        if (WORKLOADS && !WORKLOADS.some((each) => workload.includes(each))) continue;
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

/** The CPU time first, since a busy machine affects it least. Sets the exit code if one is a tenth above the recorded. */
function reportGoals(contestants: Contestant[]): void {
  const middle = (name: string, workload: string, pick: (each: Figures) => number) =>
    median((contestants.find((each) => each.running.name === name)?.figures.get(workload) ?? []).map(pick));
  const percent = (value: number) => `${Math.round(value * 100)} %`;
  print("\n| goal | CPU ratio | required | recorded | throughput | required | |");
  print("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
  for (const { row, ours, workload, limit, of = workload, cpu, share } of goals) {
    const ratioOf = (pick: (each: Figures) => number) =>
      middle(ours, workload, pick) / middle(limit, of, pick);
    const [ratio, reached] = [ratioOf((each) => each.cpu), ratioOf((each) => each.perSecond)];
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
  print("\n| workload | CPU ms | of the base | ratio |\n| --- | ---: | ---: | ---: |");
  const cpuOf = (name: string, workload: string) =>
    median(
      (contestants.find(({ running }) => running.name === name)?.figures.get(workload) ?? []).map(
        (each) => each.cpu,
      ),
    );
  for (const name of ["blog", "blog, cache"])
    for (const workload of contestants.find(({ running }) => running.name === name)?.figures.keys() ?? []) {
      const [now, before] = [cpuOf(name, workload), cpuOf(`${name}, base`, workload)];
      print(
        `| ${name}: ${workload} | ${now.toFixed(3)} | ${before.toFixed(3)} | ${(now / before).toFixed(2)} |`,
      );
    }
}

async function main(): Promise<void> {
  const server = await openServer();
  print("seeding …");
  const database = await openDatabase(server.url, standard);
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM "Post" ORDER BY "createdAt" DESC LIMIT 200',
  );
  const target: Target = { postId: rows[50]!.id, postIds: rows.slice(60).map((row) => row.id) };
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

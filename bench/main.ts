import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openDatabase, openServer, standard, type Database } from "./data.ts";
import { goals } from "./goals.ts";
import { load, memoryOf, start, type Figures, type Running } from "./measure.ts";
import { constantNames, constantPath, kinds, type Target, type Way } from "./workloads.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const SECONDS = Number(process.env["SECONDS"] ?? 2);
/** Names of servers, for a short look at some of them beside the limits. */
const ONLY = process.env["ONLY"]?.split(/; ?/);
/** The folder of another checkout, prepared by `npm start` there: measured in the same rounds, named "…, base". */
const BASE = process.env["BASE"];
/** Names of workloads, for the same. */
const WORKLOADS = process.env["WORKLOADS"]?.split(",");

type Contestant = { running: Running; ways: Record<string, Way>; figures: Map<string, Figures[]> };

const here = import.meta.dirname;
const say = (line: string) => console.log(line);

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
  const ways = kinds.limit(target);
  const contestants: Contestant[] = [{ running: limit, ways, figures: new Map() }];
  const add = async (name: string, ways: Record<string, Way>, begin: (name: string) => Promise<Running>) => {
    if (ONLY && !name.startsWith("limit") && !ONLY.includes(name)) return;
    contestants.push({ running: await begin(name), ways, figures: new Map() });
  };
  const peer =
    (file: string, env = {}) =>
    (name: string) =>
      startPeer(name, file, url, env);
  const blog = (cache: "on" | "off", folder?: string) => (name: string) =>
    startBlog(name, url, cache, folder);
  const only = (ways: Record<string, Way>, names: string[]) =>
    Object.fromEntries(Object.entries(ways).filter(([name]) => names.includes(name)));
  const asked = kinds.peer(target);
  const ours = kinds.ours(target);
  await add("fastify + pg", kinds.rest(target), peer("fastify-pg"));
  await add("mercurius + jit", asked, peer("mercurius"));
  await add("yoga", asked, peer("yoga"));
  await add("yoga, cache", only(asked, ["W1", "W2"]), peer("yoga", { CACHE: "on" }));
  await add("postgraphile 5", kinds.postgraphile(target), peer("postgraphile"));
  await add("apollo + prisma", asked, peer("apollo-usual"));
  await add("blog", only(ours, ["W1", "W2", "W3", "W5"]), blog("off"));
  await add("blog, cache", only(ours, ["W1", "W2", "W1 GET", "W2 GET", "Home", "Details"]), blog("on"));
  if (BASE) {
    await add("blog, base", only(ours, ["W1", "W2", "W3", "W5"]), blog("off", BASE));
    const kept = ["W1", "W2", "W1 GET", "W2 GET", "Home", "Details"];
    await add("blog, cache, base", only(ours, kept), blog("on", BASE));
  }
  const cache = contestants.find(({ running }) => running.name === "blog, cache");
  if (!cache) return contestants;
  const CONSTANTS = await constantsOf(cache);
  await add("limit-static", kinds.constants(target), peer("limit-static", { CONSTANTS }));
  return contestants;
}

/** The JSON that a server keeps, for `limit-static` to send the same bytes. */
async function constantsOf({ running, ways }: Contestant): Promise<string> {
  const constants: Record<string, string> = {};
  for (const name of constantNames) constants[constantPath(name)] = await textOf(running, ways[name]);
  return JSON.stringify(constants);
}

async function textOf({ origin }: Running, way?: Way): Promise<string> {
  const request = way?.requests[0]?.[0];
  if (!request) throw new Error("nothing to ask");
  const { method, path, body, headers } = request;
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const answer = await fetch(origin + path, { method, body, headers: { ...type, ...headers } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text.slice(0, 500)}`);
  return text;
}

/** Who answers something else than the limit does is not measured. */
async function checkAnswers(contestants: Contestant[]): Promise<void> {
  const limit = contestants[0];
  for (const workload of ["W1", "W2", "W5"]) {
    const expected = canonical(JSON.parse(await textOf(limit!.running, limit!.ways[workload])));
    for (const { running, ways } of contestants)
      for (const [name, way] of Object.entries(ways).filter(([name]) => name.split(" ")[0] === workload)) {
        const got = canonical(way.read(JSON.parse(await textOf(running, way))));
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

/** Callers that have left do not end what they asked for: PostgreSQL would still be at it in the next one's time. */
async function settle({ pool }: Database): Promise<void> {
  const busy = `SELECT FROM pg_stat_activity
    WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  while ((await pool.query(busy)).rowCount) await setTimeout(50);
}

async function measure(database: Database, contestants: Contestant[]): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++)
    for (const { running, ways, figures } of contestants)
      for (const [workload, { requests }] of Object.entries(ways)) {
        if (WORKLOADS && !WORKLOADS.some((each) => workload.includes(each))) continue;
        await settle(database);
        const figure = await load(running, requests, SECONDS);
        figures.set(workload, [...(figures.get(workload) ?? []), figure]);
        say(
          `round ${round} of ${ROUNDS}  ${running.name.padEnd(16)} ${workload.padEnd(8)} ${Math.round(figure.perSecond)}/s`,
        );
      }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

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
  say(
    `\nload average ${loadavg()
      .map((each) => each.toFixed(1))
      .join(" ")}; ${ROUNDS} rounds of ${SECONDS} s\n`,
  );
  say("| server | workload | per second | p50 ms | p99 ms | CPU ms | failed | share of its limit | MB |");
  say("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
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
      say(
        `| ${running.name} | ${workload} | ${cells.join(" | ")} | ${middle((each) => each.failed)} | ${share} | ${memory} |`,
      );
    }
  }
  if (BASE) reportBase(contestants);
  say("\n| goal | reached | wanted | |\n| --- | ---: | ---: | --- |");
  for (const { row, ours, workload, limit, of = workload, share, aim } of goals) {
    const reached = rate(ours, workload) / rate(limit, of);
    const percent = (value: number) => `${Math.round(value * 100)} %`;
    const isMeasured = rate(ours, workload) > 0 && rate(limit, of) > 0;
    const verdict = !isMeasured
      ? "too few answers to say"
      : reached < share
        ? "**not met**"
        : aim && reached >= aim
          ? "met, and the aim"
          : "met";
    const seen = isMeasured ? `${percent(reached)} of ${limit}` : "–";
    say(`| ${row} | ${seen} | ${percent(share)} | ${verdict} |`);
  }
}

/** CPU per answer beside the other checkout, which is what a change may cost. */
function reportBase(contestants: Contestant[]): void {
  say("\n| workload | CPU ms | of the base | ratio |\n| --- | ---: | ---: | ---: |");
  const cpuOf = (name: string, workload: string) =>
    median(
      (contestants.find(({ running }) => running.name === name)?.figures.get(workload) ?? []).map(
        (each) => each.cpu,
      ),
    );
  for (const name of ["blog", "blog, cache"])
    for (const workload of contestants.find(({ running }) => running.name === name)?.figures.keys() ?? []) {
      const [now, before] = [cpuOf(name, workload), cpuOf(`${name}, base`, workload)];
      say(
        `| ${name}: ${workload} | ${now.toFixed(3)} | ${before.toFixed(3)} | ${(now / before).toFixed(2)} |`,
      );
    }
}

async function main(): Promise<void> {
  const server = await openServer();
  say("seeding …");
  const database = await openDatabase(server.url, standard);
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM "Post" ORDER BY "createdAt" DESC LIMIT 200',
  );
  const target: Target = { postId: rows[50]!.id, postIds: rows.slice(60).map((row) => row.id) };
  const contestants = await contestantsOn(database, target);
  try {
    await checkAnswers(contestants);
    say("every answer is right");
    await measure(database, contestants);
    await report(contestants);
  } finally {
    await Promise.all(contestants.map(({ running }) => running.stop()));
    await database.pool.end();
    await server.stop();
  }
}

await main();

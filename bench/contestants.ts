import { join } from "node:path";
import { openDatabase, standard, type Database } from "./data.ts";
import { start, type Figures, type Running } from "./measure.ts";
import { startBlog } from "./with-blog.ts";
import { constantNames, constantPath, kinds, type Target, type Workload } from "./workloads.ts";

/** Names of the servers to measure, beside the limits. */
const ONLY = process.env["ONLY"]?.split(/; ?/);
/** The folder of another checkout, prepared by `npm start` there: measured in the same rounds, named "…, base". */
export const BASE = process.env["BASE"];

export type Contestant = {
  running: Running;
  workloads: Record<string, Workload>;
  figures: Map<string, Figures[]>;
};

const here = import.meta.dirname;

const startPeer = (name: string, file: string, url: string, env = {}) =>
  start(name, ["node", "--import", import.meta.resolve("tsx"), join(here, "servers", `${file}.ts`)], {
    DATABASE_URL: url,
    TSX_TSCONFIG_PATH: join(here, "tsconfig.json"),
    ...env,
  });

export async function contestantsOn({ url }: Database, target: Target, names = ONLY): Promise<Contestant[]> {
  const limit = await startPeer("limit-pg", "limit-pg", url);
  const workloads = kinds.limit(target);
  const contestants: Contestant[] = [{ running: limit, workloads, figures: new Map() }];
  const add = async (
    name: string,
    workloads: Record<string, Workload>,
    begin: (name: string) => Promise<Running>,
  ) => {
    if (names && !name.startsWith("limit") && !names.includes(name)) return;
    contestants.push({ running: await begin(name), workloads, figures: new Map() });
  };
  const peer =
    (file: string, env = {}) =>
    (name: string) =>
      startPeer(name, file, url, env);
  const blog = (cache: "on" | "off", folder?: string) => (name: string) =>
    startBlog(name, url, { READ_CACHE: cache }, folder);
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
  const signedIn = ["W1 signed in", "W2 signed in"];
  const uncached = only(ours, ["W1", "W2", "W3", "W5", ...signedIn]);
  const cached = only(ours, ["W1", "W2", "W1 GET", "W2 GET", "Home", "Details", ...signedIn]);
  await add("blog", uncached, blog("off"));
  await add("blog, cache", cached, blog("on"));
  if (BASE) {
    await add("blog, base", uncached, blog("off", BASE));
    await add("blog, cache, base", cached, blog("on", BASE));
  }
  const cache = contestants.find(({ running }) => running.name === "blog, cache");
  if (!cache) return contestants;
  const CONSTANTS = await constantsOf(cache);
  await add("limit-static", kinds.constants(target), peer("limit-static", { CONSTANTS }));
  // Shows what the headers cost, whatever server sends them.
  await add(
    "limit-static, headers",
    kinds.constants(target),
    peer("limit-static", { CONSTANTS, HEADERS: "on" }),
  );
  return contestants;
}

/** The JSON responses of a server and their headers, for `limit-static` to send the same bytes. */
async function constantsOf({ running, workloads }: Contestant): Promise<string> {
  const constants: Record<string, { text: string; headers: [string, string][] }> = {};
  for (const name of constantNames)
    constants[constantPath(name)] = await responseOf(running, workloads[name]);
  return JSON.stringify(constants);
}

/** Node adds these itself. */
const added = ["connection", "content-encoding", "content-length", "date", "keep-alive", "transfer-encoding"];

async function responseOf({ origin }: Running, workload?: Workload) {
  const request = workload?.requests[0]?.[0];
  if (!request) throw new Error("the workload has no request");
  const { method, path, body, headers } = request;
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(origin + path, { method, body, headers: { ...type, ...headers } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text.slice(0, 500)}`);
  return { text, headers: [...response.headers].filter(([name]) => !added.includes(name)) };
}

export const textOf = async (running: Running, workload?: Workload): Promise<string> =>
  (await responseOf(running, workload)).text;

/** The standard blog, and the posts that the workloads read and like. */
export async function openStandard(serverUrl: string): Promise<{ database: Database; target: Target }> {
  const database = await openDatabase(serverUrl, standard);
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM "Post" ORDER BY "createdAt" DESC LIMIT 200',
  );
  return { database, target: { postId: rows[50]!.id, postIds: rows.slice(60).map((row) => row.id) } };
}

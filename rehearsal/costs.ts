import { json, type Person } from "../faults/testing/people.ts";
import { sleep } from "../faults/testing/observations.ts";
import { ownCpu } from "./topology/part.ts";
import { runOn } from "./topology/postgres.ts";
import type { Topology } from "./topology/topology.ts";
import { registration, type Scene } from "./workload/workload.ts";
import { createWriter } from "../faults/testing/writers.ts";

export const COMPONENTS = [
  "Varnish",
  "HAProxy",
  "blog",
  "PgBouncer",
  "primary",
  "standbys",
  "bucket",
  "load generator",
] as const;

export type Component = (typeof COMPONENTS)[number];
export type Cpu = Record<Component, number>;
/** `cpu` is in milliseconds of each component for a request; `perSecond` depends on the cores, which all share. */
export type Cost = { kind: string; processes: number; requests: number; perSecond: number; cpu: Cpu };

/** Few enough for the queues of one process. */
const CLIENTS = 6;

type Kind = {
  name: string;
  /** How many requests, or for how many milliseconds. */
  requests?: number;
  milliseconds?: number;
  /** @returns false if it was refused, because this machine is too slow at the moment */
  send: (scene: Scene, n: number) => Promise<boolean>;
};

const pick = <T>(list: readonly T[], n: number) => list[n % list.length] as T;

const get = async (url: string, person?: Person) => {
  const response = await fetch(url, { headers: person ? json(person.token) : {} });
  await response.arrayBuffer();
  return response.ok;
};

const commentOrLike = async ({ site, history, posts, people }: Scene, n: number) => {
  const person = pick(people, n);
  const writer = createWriter({ site, postId: pick(posts, n), history }, person);
  await (n % 2 ? writer.comment() : writer.like());
  return true;
};

const KINDS: Kind[] = [
  { name: "page from Varnish", milliseconds: 2_000, send: ({ site }) => get(`${site}/`) },
  {
    name: "page that no cache has",
    milliseconds: 2_500,
    send: ({ site, posts }, n) => get(`${site}/posts/details/${pick(posts, n)}?n=${crypto.randomUUID()}`),
  },
  {
    name: "post for an account",
    milliseconds: 2_000,
    send: ({ site, posts, people }, n) => get(`${site}/api/posts/${pick(posts, n % 50)}`, pick(people, n)),
  },
  { name: "comment or like", milliseconds: 3_000, send: commentOrLike },
  {
    name: "post with a picture",
    requests: 8,
    async send({ site, postId, history, people }, n) {
      await createWriter({ site, postId, history }, pick(people, n)).post();
      return true;
    },
  },
  { name: "registration with an email", requests: 12, send: (scene) => registration(scene)() },
];

function readCpu({ varnish, haproxy, blogs, pgbouncer, primary, standbys, bucket }: Topology): Cpu {
  const sum = (parts: { cpu: () => number }[]) => parts.reduce((total, part) => total + part.cpu(), 0);
  return {
    ...{ Varnish: varnish.cpu(), HAProxy: haproxy.cpu(), blog: sum(blogs), PgBouncer: pgbouncer.cpu() },
    ...{ primary: primary.cpu(), standbys: sum(standbys()), bucket: bucket.cpu() },
    "load generator": ownCpu(),
  };
}

async function whenJobsDone(url: string): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(50)) {
    const { jobs } = await runOn(
      url,
      "SELECT count(*)::int AS jobs FROM graphile_worker._private_jobs WHERE run_at <= now() AND attempts < max_attempts",
    );
    if (Number(jobs) === 0) return;
  }
}

async function sendAll(
  { requests = Infinity, milliseconds = Infinity, send }: Kind,
  scene: Scene,
): Promise<number> {
  const until = performance.now() + milliseconds;
  let [sent, answered] = [0, 0];
  const client = async () => {
    while (sent < requests && performance.now() < until) if (await send(scene, sent++)) answered++;
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return answered;
}

/** Measures each kind of request alone, with the background jobs that it leaves. */
export async function measureCosts(topology: Topology, scene: Scene, processes: number): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const kind of KINDS) {
    await sendAll({ ...kind, requests: kind.requests && 2, milliseconds: 500 }, scene);
    await whenJobsDone(topology.primary.url);
    const before = readCpu(topology);
    const began = performance.now();
    const requests = await sendAll(kind, scene);
    const perSecond = requests / ((performance.now() - began) / 1_000);
    await whenJobsDone(topology.primary.url);
    const after = readCpu(topology);
    const cpu = Object.fromEntries(
      COMPONENTS.map((name) => [name, (after[name] - before[name]) / requests]),
    ) as Cpu;
    costs.push({ kind: kind.name, processes, requests, perSecond, cpu });
  }
  return costs;
}

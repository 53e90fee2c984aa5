import { sleep } from "../faults/testing/observations.ts";
import type { Part } from "./topology/part.ts";
import type { Topology } from "./topology/topology.ts";

/** Milliseconds until somebody notices, and acts. */
const NOTICED_AFTER = 2_000;

export type Fault = {
  name: string;
  /** Who may see errors meanwhile, and why. */
  mayFail: { readers: boolean; writers: boolean; because: string };
  /** Ends when everything runs again. @returns what there is to say about it */
  run: (topology: Topology) => Promise<string>;
};

const killed = (partOf: (topology: Topology) => Part | undefined) => async (topology: Topology) => {
  const part = partOf(topology);
  await part?.kill();
  await sleep(NOTICED_AFTER);
  await part?.start();
  return "";
};

/** The primary's machine is lost: the standby that has most becomes the primary, and the other one follows it. */
async function failOver(topology: Topology): Promise<string> {
  await topology.primary.kill();
  await sleep(NOTICED_AFTER);
  const began = performance.now();
  const standbys = await Promise.all(
    topology.standbys().map(async (node) => ({ node, bytes: await node.received() })),
  );
  const [best, ...others] = standbys.sort((one, other) => Number(other.bytes - one.bytes));
  if (!best) throw new Error("there is no standby");
  await best.node.promote();
  topology.pgbouncer.pointTo(best.node.port);
  for (const { node } of others) await node.follow(best.node);
  topology.primary = best.node;
  return `promoted and repointed within ${Math.round(performance.now() - began)} ms`;
}

/** The former primary becomes a standby of the new one. */
async function returnOldPrimary(topology: Topology): Promise<string> {
  const { primary } = topology;
  const followers = await primary.followers();
  const old = topology.standbys().find(({ cluster }) => !followers.includes(cluster));
  const how = old?.rejoin(primary);
  await old?.start();
  for (const until = Date.now() + 20_000; (await primary.followers()).length < 2; await sleep(100))
    if (Date.now() > until) throw new Error("the former primary does not follow the new one");
  return `by ${how}`;
}

async function restartAll({ blogs }: Topology): Promise<string> {
  for (const blog of blogs) {
    await blog.stop();
    await blog.start();
    // HAProxy has to see it first.
    await sleep(1_000);
  }
  return "";
}

export const faults: Fault[] = [
  {
    name: "Varnish killed",
    mayFail: { readers: true, writers: true, because: "there is one only" },
    run: killed(({ varnish }) => varnish),
  },
  {
    name: "HAProxy killed",
    mayFail: { readers: true, writers: true, because: "there is one only; Varnish serves what it has" },
    run: killed(({ haproxy }) => haproxy),
  },
  {
    name: "a process of the blog killed",
    mayFail: { readers: false, writers: true, because: "writes that it was working on are not repeated" },
    run: killed(({ blogs }) => blogs[0]),
  },
  {
    name: "all processes restarted, one after the other",
    mayFail: { readers: false, writers: false, because: "each drains" },
    run: restartAll,
  },
  {
    name: "PgBouncer killed",
    mayFail: { readers: true, writers: true, because: "there is one only; caches serve what they have" },
    run: killed(({ pgbouncer }) => pgbouncer),
  },
  {
    name: "the bucket killed",
    mayFail: { readers: false, writers: true, because: "uploads get 503, texts are written" },
    run: killed(({ bucket }) => bucket),
  },
  {
    name: "a standby killed",
    mayFail: { readers: false, writers: false, because: "the other one confirms commits" },
    run: killed((topology) => topology.standbys()[0]),
  },
  {
    name: "the primary killed, a standby promoted",
    mayFail: { readers: true, writers: true, because: "nothing commits until then" },
    run: failOver,
  },
  {
    name: "the former primary back, as a standby",
    mayFail: { readers: false, writers: false, because: "nothing waits for it" },
    run: returnOldPrimary,
  },
];

import { sleep } from "../faults/testing/observations.ts";
import type { Fault } from "./faults.ts";
import { findLost } from "./scene.ts";
import type { Topology } from "./topology/topology.ts";
import { startWorkload, type Scene } from "./workload/workload.ts";
import type { Outcome } from "./workload/outcomes.ts";

/** Milliseconds: before the fault, without a failure until it counts as over, and until the rehearsal gives up. */
const BEFORE = 1_500;
const QUIET = 2_000;
const GIVE_UP = 10_000;

/** `seconds` are those in which a request failed. */
export type Failures = { requests: number; failed: number; seconds: number; kinds: Record<string, number> };

export type FaultResult = {
  name: string;
  note: string;
  readers: Failures;
  writers: Failures;
  slowest: number;
  slowestKind: string;
  /** Seconds from the return of the part to the last failure. */
  recovery: number;
  lost: string[];
  stale: { fact: string; milliseconds: number }[];
  violations: string[];
};

export async function runFault(fault: Fault, topology: Topology, scene: Scene): Promise<FaultResult> {
  const load = startWorkload(scene);
  await sleep(BEFORE);
  const began = performance.now();
  const note = await fault.run(topology);
  const faultEnded = performance.now();
  const { all } = load.outcomes;
  const lastFailure = () => all.findLast(({ problem }) => problem)?.endedAt ?? began;
  while (
    performance.now() - Math.max(faultEnded, lastFailure()) < QUIET &&
    performance.now() - faultEnded < GIVE_UP
  )
    await sleep(50);
  const crashed = topology
    .parts()
    .filter((part) => part.hasCrashed())
    .map(({ name }) => name);
  const isOver = performance.now() - lastFailure() >= QUIET;
  await load.stop();
  const readers = countFailures(all.filter(({ who }) => who === "reader"));
  const writers = countFailures(all.filter(({ who }) => who !== "reader"));
  const lost = await findLost(topology.primary.url, scene);
  const { stale } = load;
  const { mayFail } = fault;
  const [slowest] = [...all].sort((one, other) => other.milliseconds - one.milliseconds);
  return {
    ...{ name: fault.name, note, readers, writers, lost, stale },
    slowest: (slowest?.milliseconds ?? 0) / 1_000,
    slowestKind: `${slowest?.what}, ${slowest?.problem ?? "answered"}`,
    recovery: Math.max(0, lastFailure() - faultEnded) / 1_000,
    violations: [
      ...crashed.map((name) => `${name} ended by itself`),
      ...lost.map((fact) => `lost: ${fact}`),
      ...stale.map(({ fact, milliseconds }) => `stale for ${Math.round(milliseconds)} ms: ${fact}`),
      ...(isOver ? [] : [`requests still fail ${GIVE_UP / 1_000} s after its end`]),
      ...(mayFail.readers ? [] : describeFailures(readers)),
      ...(mayFail.writers ? [] : describeFailures(writers)),
      ...all.filter(({ problem }) => problem === "500").map(({ who, what }) => `500: ${who}, ${what}`),
    ],
  };
}

const describeFailures = ({ kinds }: Failures) =>
  Object.entries(kinds).map(([kind, count]) => `${count} failed: ${kind}`);

function countFailures(outcomes: Outcome[]): Failures {
  const failed = outcomes.filter(({ problem }) => problem);
  const kinds: Record<string, number> = {};
  for (const { who, what, problem } of failed) {
    const kind = `${problem}, ${who === "own read" ? "own read of a " : ""}${what}`;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  const seconds = new Set(failed.map(({ endedAt }) => Math.floor(endedAt / 1_000)));
  return { requests: outcomes.length, failed: failed.length, seconds: seconds.size, kinds };
}

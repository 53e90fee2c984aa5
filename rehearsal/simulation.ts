import { quantile } from "../faults/testing/observations.ts";
import type { Component } from "./costs.ts";
import { isWrite, needAt, TODAY, type Fitted } from "./model.ts";

/** The components that a request passes; each has as many cores as the model gives it. */
const PATH_OF_REQUEST: Component[] = ["Varnish", "HAProxy", "blog", "PgBouncer", "primary"];

/** A request or a notification, for which no client waits. */
type Job = { kind: string; began: number; at: number; isAwaited: boolean };

export type Simulated = { requests: number; p50: number; p99: number; busy: Record<string, number> };

/**
 * Sends random requests for some seconds through queues in a row.
 * @param overload how many times the load for which the cores are
 */
export function simulate(
  fitted: Fitted,
  {
    factor,
    seconds,
    overload = 1,
    seed = 1,
  }: { factor: number; seconds: number; overload?: number; seed?: number },
): Simulated {
  const need = needAt(factor, fitted);
  if (need.processes === Infinity) return { requests: 0, p50: Infinity, p99: Infinity, busy: {} };
  const random = createRandom(seed);
  let jobs = arrivals(factor * overload, seconds, random);
  const busy: Record<string, number> = {};
  for (const part of PATH_OF_REQUEST) {
    const cores = part === "blog" ? need.processes : Math.max(1, Math.ceil(need[part]));
    // Each process reads the notification of each write.
    if (part === "blog") jobs = jobs.concat(notificationsOf(jobs, need.processes));
    const used = serve(jobs, cores, (job) => {
      const mean = job.isAwaited ? ownCost(fitted, job.kind, part) : fitted.notification;
      return -Math.log(1 - random()) * mean;
    });
    busy[part] = used / (cores * seconds * 1_000);
    jobs = jobs.filter(({ isAwaited }) => isAwaited);
  }
  const times = jobs.map(({ began, at }) => at - began);
  return { requests: jobs.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99), busy };
}

/** Without the notifications that were measured with it. */
function ownCost({ perRequest, processes, notification }: Fitted, kind: string, part: Component): number {
  const all = perRequest[kind]?.[part] ?? 0;
  return part === "blog" && isWrite(kind) ? Math.max(0, all - processes * notification) : all;
}

function arrivals(factor: number, seconds: number, random: () => number): Job[] {
  return Object.entries(TODAY.rates).flatMap(([kind, rate]) =>
    Array.from({ length: Math.round(rate * factor * seconds) }, () => {
      const at = random() * seconds * 1_000;
      return { kind, began: at, at, isAwaited: true };
    }),
  );
}

const notificationsOf = (jobs: Job[], processes: number): Job[] =>
  jobs
    .filter(({ kind }) => isWrite(kind))
    .flatMap((job) => Array.from({ length: processes }, () => ({ ...job, isAwaited: false })));

/** First come, first served: moves each job to the end of its service. @returns the time of all services */
function serve(jobs: Job[], cores: number, timeOf: (job: Job) => number): number {
  const free = new Array<number>(cores).fill(0);
  let used = 0;
  for (const job of jobs.sort((one, other) => one.at - other.at)) {
    const first = indexOfLeast(free);
    const time = timeOf(job);
    job.at = Math.max(job.at, free[first] ?? 0) + time;
    free[first] = job.at;
    used += time;
  }
  return used;
}

function indexOfLeast(values: number[]): number {
  let least = 0;
  for (let index = 1; index < values.length; index++)
    if ((values[index] as number) < (values[least] as number)) least = index;
  return least;
}

/** Mulberry32: the same numbers in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

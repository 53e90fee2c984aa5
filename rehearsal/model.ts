import { quantile } from "../faults/testing/observations.ts";
import { COMPONENTS, type Component, type Cost } from "./costs.ts";

/** What a model knows of a request: milliseconds of CPU time of each component. */
export type Fitted = {
  perRequest: Record<string, Record<Component, number>>;
  /** Processes for which that holds. */
  processes: number;
  /** Milliseconds that each process spends on a write of any process: it is notified, and forgets responses. */
  notification: number;
};

const WRITE = "comment or like";

/** The medians over the numbers of processes, and the slope of the costs of a write over that number. */
export function fit(costs: Cost[]): Fitted {
  const kinds = [...new Set(costs.map(({ kind }) => kind))];
  const medianOf = (kind: string, name: Component) =>
    median(costs.filter((cost) => cost.kind === kind).map(({ cpu }) => cpu[name]));
  const perRequest = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      Object.fromEntries(COMPONENTS.map((name) => [name, medianOf(kind, name)])) as Record<Component, number>,
    ]),
  );
  const writes = costs.filter(({ kind }) => kind === WRITE);
  const slope = slopeOf(writes.map((cost) => [cost.processes, cost.cpu.blog]));
  return {
    perRequest,
    processes: median(writes.map(({ processes }) => processes)),
    // On a busy machine the slope may be negative.
    notification: Math.max(ASSUMED.leastNotification, slope),
  };
}

const median = (values: number[]) => quantile(values, 0.5);

function slopeOf(points: [number, number][]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const over = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return over / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}

/** A blog of a million pages a day, in its busiest hour. */
export const TODAY = {
  /** Requests a second. */
  rates: {
    "page from Varnish": 40,
    "page that no cache has": 3,
    "post for an account": 8,
    [WRITE]: 1,
    "post with a picture": 0.02,
    "registration with an email": 0.05,
  } as Record<string, number>,
  posts: 100_000,
  connections: 1_000,
};

/** Assumed, not measured. */
export const ASSUMED = {
  /** Share of a core that is used in the busiest hour, so that bursts find room. */
  utilization: 0.5,
  /** Milliseconds that reading a notification costs at least. */
  leastNotification: 0.02,
  /** Kilobytes of a post with its comments, likes, search words and indexes; of its picture in all widths. */
  kilobytesOfPost: 20,
  kilobytesOfPicture: 500,
  /** Of one machine for PostgreSQL. */
  primaryCores: 32,
  primaryGigabytes: 256,
  /** `max_connections` of PostgreSQL, of which a process holds up to five and the pooler 20. */
  maxConnections: 200,
  directConnections: 5,
  pooled: 20,
  /** Clients of one Varnish, one HAProxy. */
  clients: 20_000,
  /** Emails a second of a usual provider. */
  emails: 14,
};

export type Need = Record<
  Component | "processes" | "gigabytes" | "picturesGigabytes" | "emails" | "clients",
  number
>;

/** Cores of each component at a multiple of today's load, and what else grows. */
export function needAt(factor: number, { perRequest, processes: measured, notification }: Fitted): Need {
  const cores = (component: Component) =>
    (factor / 1_000 / ASSUMED.utilization) *
    Object.entries(TODAY.rates).reduce(
      (sum, [kind, rate]) => sum + rate * (perRequest[kind]?.[component] ?? 0),
      0,
    );
  const writes =
    factor * Object.entries(TODAY.rates).reduce((sum, [kind, rate]) => sum + (isWrite(kind) ? rate : 0), 0);
  /** Cores that a process needs for notifications alone. */
  const share = (writes * notification) / 1_000 / ASSUMED.utilization;
  const own = Math.max(0, cores("blog") - measured * share);
  const processes = share < 1 ? Math.max(1, Math.ceil(own / (1 - share))) : Infinity;
  return {
    ...(Object.fromEntries(COMPONENTS.map((name) => [name, cores(name)])) as Record<Component, number>),
    blog: own + processes * share,
    processes,
    gigabytes: (factor * TODAY.posts * ASSUMED.kilobytesOfPost) / 1e6,
    picturesGigabytes: (factor * TODAY.posts * ASSUMED.kilobytesOfPicture) / 1e6,
    emails: factor * (TODAY.rates["registration with an email"] ?? 0),
    clients: factor * TODAY.connections,
  };
}

export const isWrite = (kind: string) => !/page|for an account/.test(kind);

type Limit = { name: string; then: string; isReached: (need: Need) => boolean };

const LIMITS: Limit[] = [
  {
    name: "one process of the blog: a core",
    then: "a process for each core; nothing else changes",
    isReached: ({ processes }) => processes > 1,
  },
  {
    name: "one PgBouncer: a core",
    then: "several on one port (`so_reuseport`), or one for each machine of the blog",
    isReached: ({ PgBouncer }) => PgBouncer > 1,
  },
  {
    name: `open connections of clients: ${ASSUMED.clients} for one HAProxy`,
    then: "several, by DNS or a load balancer of the provider",
    isReached: ({ clients }) => clients > ASSUMED.clients,
  },
  {
    name: `emails: ${ASSUMED.emails} a second of a provider`,
    then: "a higher quota; they wait in the table `Letter` meanwhile",
    isReached: ({ emails }) => emails > ASSUMED.emails,
  },
  {
    name: `direct connections: ${ASSUMED.maxConnections} of PostgreSQL`,
    then: "`max_connections = 1000`; then processes without jobs, or a relay of notifications",
    isReached: ({ processes }) =>
      processes * ASSUMED.directConnections + ASSUMED.pooled > ASSUMED.maxConnections,
  },
  {
    name: `rows: the memory of the primary, ${ASSUMED.primaryGigabytes} GB`,
    then: "more memory, else reads wait for the disk; then shards",
    isReached: ({ gigabytes }) => gigabytes > ASSUMED.primaryGigabytes,
  },
  {
    name: `the primary: ${ASSUMED.primaryCores} cores`,
    then: "public reads from replicas (`DATABASE_REPLICA_URLS`); when writes alone fill it, shards",
    isReached: ({ primary }) => primary > ASSUMED.primaryCores,
  },
  {
    name: "notifications: each process spends itself on the writes of all others",
    then: "notifications by shard or by tag, to the processes that hold the tag",
    isReached: ({ processes }) => processes === Infinity,
  },
];

/** The multiple of today's load at which a limit is reached, within 5 %; the first limits first. */
export function findLimits(fitted: Fitted): { name: string; then: string; at: number }[] {
  const firstOf = ({ isReached }: Limit) => {
    for (let factor = 0.1; factor < 1e6; factor *= 1.05) if (isReached(needAt(factor, fitted))) return factor;
    return Infinity;
  };
  return LIMITS.map((limit) => ({ name: limit.name, then: limit.then, at: firstOf(limit) })).sort(
    (one, other) => one.at - other.at,
  );
}

import { LIMITS } from "../limits.ts";
import type { Call, Handler } from "../http/middleware.ts";
import type { CachedResponse, DependencyTracker, ResponseCache } from "./cached-response.ts";

/** Milliseconds after which a request of another network starts a build as well (doubled by each), and after which each request does. */
const [BUILD_TIMEOUT_MS, MAX_WAIT_MS] = [100, 2_000];
const MAX_NETWORKS = 1_000;

export type Build = {
  key: string;
  network: string;
  tracker: DependencyTracker;
  number: number;
};

/** A request that came during a build, whose tracker had recorded some invalidations. */
type Waiting = {
  call: Call;
  next: Handler;
  leave: () => void;
  since: number;
  build: Build;
  invalidations: number;
};

type Flight = {
  builds: Set<Build>;
  newest: Build;
  begun: Map<string, number>; // builds by network
  waiting: Set<Waiting>;
  timer: NodeJS.Timeout | null;
};

/** How many waiting requests start a build. */
export type BuildsToStart = 1 | 2 | "all";

type Options = {
  /** Builds the response in the turn of the request's network. */
  start: (call: Call, next: Handler, build: Build) => void;
  /** @returns whether the response is one for the request of the call; if so, it is sent */
  send: (cached: CachedResponse, call: Call) => boolean;
  /** Of a request that has waited for the longest time. @returns whether it is answered without a build of its own */
  giveUp: (call: Call, next: Handler) => boolean;
};

/**
 * Concurrent requests of one key share a response (single flight): otherwise each like would make all readers of a post build
 * its page. A response that was invalidated while it was built is for those who asked before that. Nobody waits long for the
 * build of another network, which may be slow.
 */
export function openCoalescing(cache: ResponseCache, options: Options) {
  const { find, begin, startOwn, watch, remove, settle } = openFlights(cache, options);
  const { send } = options;
  return {
    begin,

    /** @returns whether the request waits for a response that is being built */
    join(key: string, call: Call, next: Handler): boolean {
      const flight = find(key);
      if (!flight?.newest.tracker.isTraceable) return false;
      const { newest: build, waiting } = flight;
      const leave = () => {
        waiting.delete(own);
        call.response.off("close", leave);
      };
      const invalidations = build.tracker.invalidations.size;
      const own: Waiting = { call, next, leave, since: performance.now(), build, invalidations };
      waiting.add(own);
      call.response.once("close", leave);
      watch(flight);
      return true;
    },

    /** Sends a response to those that may share it. */
    share(build: Build, cached: CachedResponse, isStored: boolean): void {
      const flight = remove(build);
      if (!flight) return;
      const isFor = (each: Waiting) =>
        isStored ||
        build.number > each.build.number ||
        (build === each.build && cache.isShareable(build.tracker, each.invalidations));
      for (const each of [...flight.waiting].filter(isFor))
        if (send(cached, each.call)) each.leave();
        else startOwn(each);
      settle(flight, build);
    },

    /** Of a response that is for its request only. */
    end(build: Build, others: BuildsToStart): void {
      const flight = remove(build);
      if (!flight) return;
      if (others === "all") for (const each of flight.waiting) startOwn(each);
      settle(flight, build, others === 2 ? 2 : 1);
    },
  };
}

export type Coalescing = ReturnType<typeof openCoalescing>;

function openFlights(cache: ResponseCache, { start, send, giveUp }: Options) {
  const flights = new Map<string, Flight>();
  let builds = 0;

  function begin(key: string, network: string): Build {
    const build = { key, network, tracker: cache.begin(key, network), number: ++builds };
    const flight = flights.get(key) ?? createFlight(build);
    flights.set(key, flight);
    flight.builds.add(build);
    flight.newest = build;
    if (flight.begun.size > MAX_NETWORKS) flight.begun.clear();
    flight.begun.set(network, (flight.begun.get(network) ?? 0) + 1);
    return build;
  }

  function startOwn({ call, next, leave, build: { key } }: Waiting): void {
    leave();
    start(call, next, begin(key, call.network));
  }

  const startLate = (late: Waiting) => (giveUp(late.call, late.next) ? late.leave() : startOwn(late));

  function startNext(flight: Flight): void {
    const next = firstOf(flight);
    if (next) startOwn(next);
  }

  function watch(flight: Flight): void {
    flight.timer ??= setTimeout(() => {
      flight.timer = null;
      const stale = cache.findStale(flight.newest.key);
      if (stale) sendStale(stale, flight.waiting, send);
      else startTimedOut(flight, startOwn, startLate);
      if (flight.waiting.size > 0) watch(flight);
    }, BUILD_TIMEOUT_MS / 2);
  }

  return {
    find: (key: string) => flights.get(key),
    begin,
    startOwn,
    watch,

    remove(build: Build): Flight | null {
      const flight = flights.get(build.key);
      return flight?.builds.delete(build) ? flight : null;
    },

    settle(flight: Flight, build: Build, others = 1): void {
      if (flight.newest === build || flight.builds.size === 0)
        for (let left = others; left > 0; left--) startNext(flight);
      if (flight.builds.size > 0) return;
      if (flight.timer) clearTimeout(flight.timer);
      flights.delete(build.key);
    },
  };
}

const createFlight = (newest: Build): Flight => ({
  builds: new Set(),
  newest,
  begun: new Map(),
  waiting: new Set(),
  timer: null,
});

type Start = (waiting: Waiting) => void;

function startTimedOut(flight: Flight, startOwn: Start, startLate: Start): void {
  const { waiting } = flight;
  const now = performance.now();
  const timeoutMs = BUILD_TIMEOUT_MS * 2 ** (networksOf(flight).size - 1);
  for (const each of waiting) if (now - each.since >= MAX_WAIT_MS) startLate(each);
  const next = firstOf(flight);
  if (next && now - next.since >= timeoutMs) startOwn(next);
}

/** A stale page, to those that have waited long for the current one. */
function sendStale(stale: CachedResponse, waiting: Set<Waiting>, send: Options["send"]): void {
  const now = performance.now();
  for (const { call, leave, since } of waiting)
    if (now - since >= LIMITS.stale.after && send(stale, call)) leave();
}

const networksOf = ({ builds }: Flight) => new Set([...builds].map(({ network }) => network));

/** Networks take turns: otherwise one that ends its requests early would have each next build. */
function firstOf(flight: Flight): Waiting | null {
  const { begun, waiting } = flight;
  const networks = networksOf(flight);
  let [first, fewest]: [Waiting | null, number] = [null, Infinity];
  for (const each of waiting) {
    const { network } = each.call;
    const own = begun.get(network) ?? 0;
    if (networks.has(network) || own >= fewest) continue;
    [first, fewest] = [each, own];
    if (fewest === 0) break;
  }
  return first;
}

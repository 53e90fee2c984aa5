import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CacheTag } from "../domain/ports.ts";
import type { Call, Handler } from "../http/middleware.ts";
import type { CachedResponse } from "./cached-response.ts";
import { openCoalescing, type Build } from "./coalescing.ts";
import { openResponseCache } from "./response-cache.ts";

const KEY = "GET /posts";
const next: Handler = () => undefined;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

function open() {
  const listeners: ((tags: readonly CacheTag[]) => void)[] = [];
  const onChange = (listener: (tags: readonly CacheTag[]) => void) => void listeners.push(listener);
  const cache = openResponseCache({ onChange, isListening: () => true }, 1_000_000);
  const [started, sent, late]: [Build[], string[], string[]] = [[], [], []];
  const coalescing = openCoalescing(cache, {
    start: (_call, _next, build) => void started.push(build),
    giveUp: ({ network }) => network === "reader of a page" && late.push(network) > 0,
    send: (cached, call) => (sent.push(`${String(cached.body)} to ${call.network}`), true),
  });
  const begin = (network: string) => {
    const build = coalescing.begin(KEY, network);
    build.tracker.tags.add("post:1");
    return build;
  };
  const ask = (network: string) => {
    const response = new EventEmitter();
    const isWaiting = coalescing.join(KEY, { network, response } as unknown as Call, next);
    return { response, isWaiting };
  };
  const change = (tag: CacheTag) => {
    for (const listener of listeners) listener([tag]);
  };
  const networks = () => started.map(({ network }) => network);
  return { cache, coalescing, begin, ask, change, started, networks, sent, late };
}

const responseOf = (text: string): CachedResponse => ({
  ...{ headers: {}, body: Buffer.from(text), compressed: {}, heads: {}, route: "" },
});

test("those who ask while a response is built share it, and each key has its own", () => {
  const { coalescing, begin, ask, sent, networks } = open();
  const build = begin("a");
  expect([ask("b").isWaiting, ask("c").isWaiting]).toEqual([true, true]);
  const other = { network: "d", response: new EventEmitter() } as unknown as Call;
  expect(coalescing.join("GET /", other, next)).toBe(false);
  coalescing.share(build, responseOf("page"), true);
  expect(sent).toEqual(["page to b", "page to c"]);
  expect(networks()).toEqual([]);
  expect(ask("d").isWaiting).toBe(false);
});

test("a response that was invalidated meanwhile is for those who asked before, and the others share the next one", () => {
  const { coalescing, begin, ask, change, started, sent } = open();
  const build = begin("a");
  ask("before");
  change("post:2");
  ask("after another change");
  change("post:1");
  for (const network of ["b", "c"]) ask(network);
  coalescing.share(build, responseOf("old"), false);
  expect(sent).toEqual(["old to before", "old to after another change"]);
  expect(started.map(({ network }) => network)).toEqual(["b"]);
  ask("later");
  const [second] = started as [Build];
  second.tracker.tags.add("post:1");
  coalescing.share(second, responseOf("new"), true);
  expect(sent.slice(2)).toEqual(["new to c", "new to later"]);
});

test("a change that follows another one of the same kind counts for those who asked between both", () => {
  const { coalescing, begin, ask, change, sent, networks } = open();
  const build = begin("a");
  change("post:1");
  ask("between");
  change("post:1");
  coalescing.share(build, responseOf("old"), false);
  expect(sent).toEqual([]);
  expect(networks()).toEqual(["between"]);
});

test("responses that take long and change meanwhile are shared with those who asked before they began", () => {
  const { coalescing, begin, ask, change, started, sent } = open();
  begin("a");
  for (const network of ["b", "c", "d"]) ask(network);
  vi.advanceTimersByTime(320);
  const [second, third] = started as [Build, Build];
  for (const { tracker } of [second, third]) tracker.tags.add("post:1");
  ask("late");
  change("post:1");
  ask("after the change");
  coalescing.share(second, responseOf("second"), false);
  expect(sent).toEqual(["second to d"]);
  coalescing.share(third, responseOf("third"), false);
  expect(sent).toEqual(["second to d", "third to late"]);
  expect(started.map(({ network }) => network)).toEqual(["b", "c", "after the change"]);
});

test("others wait 150 ms for a slow build, then twice as long for each that runs, and two seconds for any", () => {
  const { begin, ask, networks } = open();
  begin("slow");
  ask("slow");
  ask("b");
  ask("c");
  vi.advanceTimersByTime(150);
  expect(networks()).toEqual(["b"]);
  vi.advanceTimersByTime(150);
  expect(networks()).toEqual(["b", "c"]);
  vi.advanceTimersByTime(1_800);
  expect(networks()).toEqual(["b", "c", "slow"]);
});

test("A50-4: readers of a page who have waited two seconds do not have it built as well", () => {
  const { begin, ask, change, networks, late } = open();
  begin("slow");
  ask("reader of a page");
  ask("b");
  vi.advanceTimersByTime(250);
  for (let n = 0; n < 10; n++) ask("reader of a page");
  change("post:1");
  vi.advanceTimersByTime(2_300);
  expect(late).toHaveLength(10);
  expect(networks()).toEqual(["reader of a page", "b"]);
});

test("after a response for its own request only one other, or two, or all have it built", () => {
  const { coalescing, begin, ask, networks, started } = open();
  const build = begin("a");
  for (const network of ["b", "c", "d", "e", "f"]) ask(network);
  coalescing.end(build, 1);
  expect(networks()).toEqual(["b"]);
  coalescing.end(started[0] as Build, 2);
  expect(networks()).toEqual(["b", "c", "d"]);
  coalescing.end(started[2] as Build, "all");
  expect(networks()).toEqual(["b", "c", "d", "e", "f"]);
});

test("a network that ends its requests early does not have the next build each time", () => {
  const { coalescing, begin, ask, networks } = open();
  const build = begin("attacker");
  for (let n = 0; n < 100; n++) ask("attacker");
  ask("b");
  coalescing.end(build, 1);
  expect(networks()).toEqual(["b"]);
});

test("R41B-2: builds that a network begins after two seconds do not keep others waiting", () => {
  const { begin, ask, networks } = open();
  begin("a");
  for (let n = 0; n < 60; n++) {
    ask("a");
    vi.advanceTimersByTime(45);
  }
  ask("b");
  vi.advanceTimersByTime(200);
  expect(networks()).toContain("b");
});

test("a request that is never cached does not wait, and waits for none", () => {
  const { begin, ask } = open();
  begin("a").tracker.isTraceable = false;
  expect(ask("b").isWaiting).toBe(false);
});

test("clients that disconnect leave nothing behind", () => {
  const { coalescing, begin, ask, networks, sent } = open();
  const build = begin("a");
  const { response } = ask("b");
  response.emit("close");
  coalescing.share(build, responseOf("page"), true);
  coalescing.end(build, 1);
  expect([networks(), sent, response.listenerCount("close")]).toEqual([[], [], 0]);
  expect(vi.getTimerCount()).toBe(0);
  expect(ask("c").isWaiting).toBe(false);
});

test("those who wait for a page whose lists have changed get the former one soon, unless a text has changed too", () => {
  const { cache, begin, ask, change, sent } = open();
  const tracker = cache.begin(KEY, "a");
  tracker.tags.add("posts").add("html:1");
  cache.store(KEY, { ...responseOf("former"), headers: { "content-type": "text/html" } }, tracker);
  change("posts");
  begin("a");
  ask("b");
  vi.advanceTimersByTime(200);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual(["former to b"]);
  ask("c");
  change("text:1");
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual(["former to b"]);
});

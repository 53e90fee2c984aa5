import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CachedResponse, ResponseCache } from "./cached-response.ts";
import type { CacheTag } from "../domain/ports.ts";
import { openResponseCache } from "./response-cache.ts";

let isListening: boolean;
let publish: (...tags: CacheTag[]) => void;
let cache: ResponseCache;

function open(maxBytes: number, keepsFirst = false): ResponseCache {
  let listener = (_tags: readonly CacheTag[]) => {};
  const changes = {
    publish: (tags: readonly CacheTag[]) => listener(tags),
    onChange: (each: typeof listener) => void (listener = each),
    isListening: () => isListening,
    close: async () => {},
  };
  publish = (...tags) => changes.publish(tags);
  return openResponseCache(changes, maxBytes, keepsFirst);
}

beforeEach(() => {
  isListening = true;
  cache = open(1_000_000);
});

afterEach(() => void vi.useRealTimers());

const response = (bytes = 10): CachedResponse => ({
  headers: {},
  compressed: {},
  heads: {},
  body: Buffer.alloc(bytes),
  route: "/",
});

function keep(
  key: string,
  tags: CacheTag[],
  { bytes = 10, during = () => {}, network = "", headers = {} } = {},
): boolean {
  const tracker = cache.begin(key, network);
  for (const tag of tags) tracker.tags.add(tag);
  during();
  const isCached = cache.store(key, { ...response(bytes), headers }, tracker);
  cache.end(tracker);
  return isCached;
}

const cached = (...keys: string[]) => keys.filter((key) => cache.find(key) !== undefined);

test("a response is cached until one of its dependencies changes", () => {
  keep("a", ["posts", "post:1"]);
  keep("b", ["post:2", "user:1"]);
  publish("post:3", "user:2", "categories");
  expect(cached("a", "b")).toEqual(["a", "b"]);
  publish("user:1");
  expect(cached("a", "b")).toEqual(["a"]);
  publish("posts");
  expect(cached("a", "b")).toEqual([]);
  expect(cache.size()).toMatchObject({ entries: 0, bytes: 0, trackers: 0 });
});

test("an invalidation of everything clears the cache", () => {
  for (const key of ["a", "b", "c"]) keep(key, [`post:${key}`]);
  publish("*");
  expect(cache.size()).toMatchObject({ entries: 0, bytes: 0 });
});

describe("a response is not stored", () => {
  test("if a dependency was invalidated while it was built, before or after it was tracked", () => {
    expect(keep("a", ["post:1"], { during: () => publish("post:1") })).toBe(false);
    expect(keep("b", ["post:1"], { during: () => publish("*") })).toBe(false);
    expect(keep("c", ["post:1"], { during: () => publish("post:2") })).toBe(true);
    const tracker = cache.begin("", "");
    publish("post:9");
    tracker.tags.add("post:9");
    expect(cache.store("d", response(), tracker)).toBe(false);
  });

  test("if more invalidations happened meanwhile than are recorded", () => {
    const during = () => {
      for (let n = 0; n < 1_001; n++) publish(`post:${n}`);
    };
    expect(keep("a", ["user:1"], { during })).toBe(false);
  });

  test("if it is untraceable or has no dependencies", () => {
    const tracker = cache.begin("", "");
    tracker.tags.add("posts");
    tracker.isTraceable = false;
    expect(cache.store("a", response(), tracker)).toBe(false);
    expect(keep("b", [])).toBe(false);
  });

  test("while invalidations are not received, or if its tracker has ended", () => {
    isListening = false;
    expect(keep("a", ["posts"])).toBe(false);
    isListening = true;
    const tracker = cache.begin("", "");
    tracker.tags.add("posts");
    cache.end(tracker);
    expect(cache.store("b", response(), tracker)).toBe(false);
  });
});

describe("the cache is bounded by bytes:", () => {
  test("the least recently used entries are evicted first", () => {
    cache = open(60_000);
    for (const key of ["a", "b", "c", "d"]) keep(key, ["posts"], { bytes: 2_000 });
    for (let n = 0; n < 20; n++) {
      expect(cached("a"), String(n)).toEqual(["a"]);
      keep(`x${n}`, ["posts"], { bytes: 2_000 });
    }
    expect(cached("b", "c", "d")).toEqual([]);
    expect(cache.size().bytes).toBeLessThanOrEqual(60_000);
  });

  test("a thousand responses to made-up requests stay within the limit, with bodies, keys and tags", () => {
    cache = open(200_000);
    for (let n = 0; n < 1_000; n++)
      keep(`/?${"x".repeat(n)}${n}`, [`post:${n}`, `user:${n}`], { bytes: n * 5 });
    expect(cache.size().bytes).toBeLessThanOrEqual(200_000);
    expect(cache.size().entries).toBeGreaterThan(5);
    publish("*");
    expect(cache.size()).toMatchObject({ entries: 0, bytes: 0 });
  });

  test("a response that would evict many others is not stored", () => {
    cache = open(80_000);
    keep("a", ["posts"]);
    expect(keep("b", ["posts"], { bytes: 10_000 })).toBe(false);
    const many = Array.from({ length: 30 }, (_, n): CacheTag => `post:${n}`);
    expect(keep("c", many)).toBe(false);
    expect(cached("a", "b", "c")).toEqual(["a"]);
  });

  test("a new response replaces the entry with the same key", () => {
    keep("a", ["posts"]);
    const { bytes } = cache.size();
    keep("a", ["categories"]);
    expect(cache.size()).toMatchObject({ entries: 1, bytes });
    publish("posts");
    expect(cached("a")).toEqual(["a"]);
  });
});

test("with replicas a current entry is not replaced by one that may have been read before it", () => {
  cache = open(1_000_000, true);
  expect(keep("a", ["posts"])).toBe(true);
  expect(keep("a", ["posts"])).toBe(false);
  publish("posts");
  expect(keep("a", ["posts"])).toBe(true);
});

test("entries expire after an hour, since pages contain time-dependent text", () => {
  vi.useFakeTimers();
  try {
    keep("a", ["posts"]);
    vi.advanceTimersByTime(59 * 60_000);
    expect(cached("a")).toEqual(["a"]);
    vi.advanceTimersByTime(2 * 60_000);
    expect(cached("a")).toEqual([]);
    expect(cache.size()).toMatchObject({ entries: 0, bytes: 0 });
  } finally {
  }
});

describe("one network cannot evict", () => {
  const flood = () => {
    for (let n = 0; n < 100; n++) keep(`flood ${n}`, ["posts"], { bytes: 10_000, network: "attacker" });
  };
  beforeEach(() => void (cache = open(500_000)));

  test.each([
    ["a reader of another network", "others", ["page"]],
    ["its own readers", "readers", []],
  ])("a response that was requested by %s", (_, network, expected) => {
    keep("page", ["posts"], { bytes: 10_000, network: "readers" });
    cache.find("page", undefined, () => network);
    flood();
    expect(cached("page")).toEqual(expected);
    expect(cache.size().bytes).toBeLessThanOrEqual(500_000);
  });

  test("a shared response that is stored again", () => {
    keep("page", ["post:1"], { bytes: 10_000, network: "readers" });
    cache.find("page", undefined, () => "others");
    keep("page", ["post:1"], { bytes: 10_000, network: "readers" });
    flood();
    expect(cached("page")).toEqual(["page"]);
    publish("post:1");
    expect(cached("page")).toEqual([]);
  });

  test("a shared response that has expired, and is removed by the changes of the next one", () => {
    vi.useFakeTimers({ now: Date.now() });
    keep("page", ["post:1"], { network: "readers" });
    cache.find("page", undefined, () => "others");
    vi.advanceTimersByTime(61 * 60 * 1000);
    keep("page", ["post:1"], { network: "readers" });
    expect(cached("page")).toEqual(["page"]);
    publish("post:1");
    expect(cached("page")).toEqual([]);
  });

  test("new responses by sharing as many as fit with another one", () => {
    for (let n = 0; n < 50; n++) {
      keep(`shared ${n}`, ["posts"], { bytes: 10_000, network: "attacker" });
      cache.find(`shared ${n}`, undefined, () => "accomplice");
    }
    keep("page", ["posts"], { bytes: 10_000, network: "readers" });
    keep("next", ["posts"], { bytes: 10_000, network: "readers" });
    expect(cached("page", "next")).toEqual(["page", "next"]);
    expect(cache.size().bytes).toBeLessThanOrEqual(500_000);
  });
});

describe("a page", () => {
  const html = {
    "content-type": "text/html; charset=utf-8",
    ...{ "cache-control": "public, s-maxage=60", etag: '"1"', "surrogate-key": "a", "cache-tag": "a" },
  };
  const keepPage = (...tags: CacheTag[]) => keep("page", tags, { headers: html });

  const soft = ["posts", "author:1", "html:1", "post:1", "content:1", "byline:1", "user:1"] as const;
  test.each(soft)("whose dependency %s changed is there for a minute, to be stored nowhere", (tag) => {
    vi.useFakeTimers({ now: Date.now() });
    keepPage(tag, "comments:1");
    expect(cache.findStale("page")).toBeNull();
    publish(tag);
    expect(cached("page")).toEqual([]);
    expect(cache.findStale("page")?.headers).toEqual({
      "content-type": html["content-type"],
      "cache-control": "no-store",
    });
    vi.advanceTimersByTime(56_000);
    publish(tag);
    expect(cache.findStale("page")).not.toBeNull();
    vi.advanceTimersByTime(4_000);
    expect(cache.findStale("page")).toBeNull();
  });

  test.each(["text:1", "deleted:1", "comments:1", "categories", "*"] as const)(
    "is gone as soon as %s changes, also after its lists",
    (tag) => {
      for (const tags of [[tag], ["posts", tag], [tag, "posts"]] as CacheTag[][]) {
        keepPage("posts", "content:1", "html:1", "comments:1", "user:1", "categories");
        publish(...tags);
        expect(cache.findStale("page")).toBeNull();
        keepPage("posts", "content:1", "html:1", "comments:1", "user:1", "categories");
        for (const each of tags) publish(each);
        expect(cache.findStale("page")).toBeNull();
      }
    },
  );

  const shown = { "html:1": false, "user:1": false, "post:1": true, "content:1": true } as const;
  test.each(Object.entries(shown))("that shows %s of what is deleted can be stale: %s", (tag, isKept) => {
    keepPage(tag as CacheTag);
    publish("post:1", "content:1", "text:2", "user:1");
    publish("post:1", "content:1", "deleted:1");
    expect(cache.findStale("page") !== null).toBe(isKept);
  });

  test.each([
    [["posts", "post:1"], true],
    [["posts", "deleted:1"], false],
    [["text:2"], undefined],
    [["*"], false],
  ] as [CacheTag[], boolean | undefined][])("that is built while %s change", (tags, isKept) => {
    keep("page", ["posts", "post:1", "html:1"], { headers: html, during: () => publish(...tags) });
    expect(cached("page")).toEqual(isKept === undefined ? ["page"] : []);
    expect(cache.findStale("page") !== null).toBe(isKept ?? false);
  });

  test("that has become stale while it was built does not replace a current one", () => {
    keep("page", ["posts"], { headers: html, during: () => (publish("posts"), keepPage("posts")) });
    expect(cached("page")).toEqual(["page"]);
  });

  test("that is built again is not stale any more", () => {
    keepPage("posts");
    publish("posts");
    keepPage("posts");
    expect(cached("page")).toEqual(["page"]);
    expect(cache.findStale("page")).toBeNull();
  });

  test("of an API is never sent again", () => {
    keep("page", ["posts"], { headers: { "content-type": "application/json" } });
    publish("posts");
    expect(cache.findStale("page")).toBeNull();
    expect(cache.size().entries).toBe(0);
  });
});

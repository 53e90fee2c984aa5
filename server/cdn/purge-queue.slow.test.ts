import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import type { CacheTag } from "../domain/ports.ts";
import { openHttpThread } from "../outgoing/http-thread.ts";
import { afterFile } from "../testing/cleanup.ts";
import { httpWorkerFile } from "../testing/http-worker.ts";
import { openPurgeQueue } from "./purge-queue.ts";
import { requestPurge, type PurgeForm } from "./purge-requests.ts";
import { openPurges, tryPurge } from "./purges.ts";
import { createCdnTags } from "./tags.ts";

type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

const SITE = "https://blog.test";
const delays = { batch: 20, repeat: 150, retry: 10, longestRetry: 40, close: 300 };
const { ofPurge, ofResponse } = createCdnTags(SITE);

const thread = openHttpThread(httpWorkerFile);
afterFile(async () => thread.close());

const received: Received[] = [];
/** The next statuses; then 200. */
const statuses: number[] = [];
let respondAfter = 0;
const server = createServer(async (request, response) => {
  const { method = "", url = "", headers } = request;
  received.push({ method, url, headers, body: await text(request) });
  setTimeout(() => response.writeHead(statuses.shift() ?? 200, { location: "/other" }).end(), respondAfter);
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
afterFile(async () => void server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/purge`;

const lines: unknown[][] = [];
const log = { warn: (...line: unknown[]) => void lines.push(line) };
const open = (form: PurgeForm = "webhook", token?: string) => {
  const target = { url, form, token, httpWorkerFile };
  return openPurgeQueue({ purge: (tags) => requestPurge(thread, target, ofPurge(tags)), log, delays });
};
const posts = (count: number) => Array.from({ length: count }, (_, n): CacheTag => `post:${n}`);
const tagsIn = ({ body }: Received) => (JSON.parse(body) as { tags: string[] }).tags;
const quiet = () => new Promise((done) => setTimeout(done, 250));

afterEach(async () => {
  await quiet();
  for (const list of [received, statuses, lines]) list.length = 0;
  respondAfter = 0;
});

test("the purges of a moment are one request, which is repeated once", async () => {
  const queue = open("webhook", "secret");
  queue.add(["post:1", "posts"]);
  queue.add(["post:1", "user:2"]);
  await vi.waitUntil(() => received.length === 1);
  expect(received[0]).toMatchObject({
    ...{ method: "POST", url: "/purge" },
    headers: { authorization: "Bearer secret", "content-type": "application/json" },
  });
  const expected = ofPurge(["post:1", "posts", "user:2"]);
  expect(tagsIn(received[0]!)).toEqual(expected);
  expect(received[0]?.headers["surrogate-key"]).toBe(expected.join(" "));
  await vi.waitUntil(() => received.length === 2);
  expect(tagsIn(received[1]!)).toEqual(expected);
  await quiet();
  expect(received).toHaveLength(2);
  expect(queue.counts()).toEqual({ sent: 2, failed: 0, waiting: 0 });
});

test("Fastly gets the tags in a header, and its token in another", async () => {
  open("fastly", "secret").add(["post:1"]);
  await vi.waitUntil(() => received.length === 1);
  expect(received[0]).toMatchObject({
    method: "POST",
    headers: { "fastly-key": "secret", "surrogate-key": ofPurge(["post:1"]).join(" ") },
    body: "",
  });
});

test("Cloudflare gets 30 tags in a request at most", async () => {
  open("cloudflare", "secret").add(posts(70));
  await vi.waitUntil(() => received.length === 3);
  expect(received.map((each) => tagsIn(each).length)).toEqual([30, 30, 11]);
  expect(received.flatMap(tagsIn)).toEqual(ofPurge(posts(70)));
  for (const { headers } of received) expect(headers.authorization).toBe("Bearer secret");
});

test("a purge that fails is tried again until it succeeds, with what came meanwhile", async () => {
  statuses.push(503, 302, 401);
  const queue = open();
  queue.add(["post:1"]);
  await vi.waitUntil(() => received.length === 1, { interval: 1 });
  queue.add(["post:2"]);
  await vi.waitUntil(() => queue.counts().sent === 1);
  expect(tagsIn(received[0]!)).toEqual(ofPurge(["post:1"]));
  expect(tagsIn(received[3]!).sort()).toEqual(ofPurge(["post:1", "post:2"]).sort());
  expect(queue.counts()).toEqual({ sent: 1, failed: 3, waiting: 0 });
  expect(received.map((each) => each.url)).toEqual(Array(4).fill("/purge"));
  expect(lines).toEqual([
    [{ reason: "status 503" }, expect.stringContaining("cannot be purged")],
    [{ attempts: 4 }, expect.stringContaining("can be purged again")],
  ]);
});

test("more than 5 000 waiting tags become all, and those of one notification do not", async () => {
  const queue = open();
  queue.add(["posts", ...posts(1_000)]);
  expect(queue.counts().waiting).toBe(1_001);
  queue.add(posts(5_000));
  expect(queue.counts().waiting).toBe(1);
  queue.add(["post:9"]);
  await vi.waitUntil(() => received.length === 1);
  expect(tagsIn(received[0]!)).toEqual(ofPurge(["*"]));
});

test("W1: a purge of everything is repeated once, however many changes follow", async () => {
  const queue = open();
  queue.add(["*"]);
  const everything = () => received.filter((each) => tagsIn(each).join() === ofPurge(["*"]).join());
  for (let n = 0; n < 100; n++) {
    queue.add([`post:${n}`]);
    await new Promise((done) => setTimeout(done, 10));
  }
  expect(everything()).toHaveLength(2);
  await quiet();
  const named = new Set(received.slice(received.indexOf(everything()[1]!) + 1).flatMap(tagsIn));
  const since = ofPurge(posts(100)).slice(-50);
  expect(since.filter((tag) => !named.has(tag))).toEqual([]);
});

test("purges are sent one after another", async () => {
  respondAfter = 100;
  const queue = open();
  queue.add(["post:1"]);
  await vi.waitUntil(() => received.length === 1);
  queue.add(["post:2"]);
  await new Promise((done) => setTimeout(done, 50));
  expect(received).toHaveLength(1);
  await vi.waitUntil(() => received.length === 2);
});

test("at the end everything is purged, but nobody waits long for a CDN that does not answer", async () => {
  const queue = open();
  queue.add(["post:1"]);
  await queue.close();
  expect(tagsIn(received[0]!)).toEqual(ofPurge(["*"]));
  respondAfter = 2_000;
  const since = performance.now();
  await open().close();
  expect(performance.now() - since).toBeLessThan(1_000);
});

test("a start purges everything, and then what the leader is notified of", async () => {
  let notify: (tags: readonly CacheTag[]) => void = () => undefined;
  const purges = openPurges({ url, form: "webhook", token: undefined, httpWorkerFile }, SITE);
  purges.start({ lead: (listener) => (notify = listener) }, log);
  await vi.waitUntil(() => received.length === 1);
  expect(tagsIn(received[0]!)).toEqual(ofPurge(["*"]));
  notify(["categories"]);
  await vi.waitUntil(() => received.length === 2);
  expect(tagsIn(received[1]!)).toEqual(ofPurge(["categories"]));
  await expect.poll(() => purges.metrics.map((metric) => metric.read())).toEqual([2, 0, 0]);
  await purges.close();
});

test("an error names its cause, and no secret", async () => {
  const url = "http://127.0.0.1:1/purge";
  const target = { url, form: "fastly", token: "secret", httpWorkerFile } as const;
  await expect(tryPurge(target, SITE)).rejects.toThrow(/^ECONNREFUSED$/);
});

test("what depends on everything is in every purge, and every response in that of all", () => {
  const [all, any] = ofResponse(new Set(["*"]));
  // docs/operating.md says how to compute it.
  expect(createCdnTags("https://blog.test").ofPurge(["*"])).toEqual(["c8691cfbd73b"]);
  expect(ofPurge(["*"])).toEqual([all]);
  expect(ofPurge(["post:1"])[0]).toBe(any);
  expect(ofResponse(new Set(["post:1"]))).toEqual([all, ofPurge(["post:1"])[1]]);
  expect(ofResponse(new Set(posts(81)))).toEqual([all, any]);
  expect(ofResponse(new Set(posts(80))).join(" ").length).toBeLessThan(1_080);
  expect(createCdnTags("https://other.test").ofPurge(["*"])).not.toEqual([all]);
});

test("R31B B2: an answer without an end is cut", async () => {
  const endless = createServer((_request, response) => {
    response.on("close", () => (wasCut = true));
    const write = () =>
      void (response.write(Buffer.alloc(16_384)) ? setImmediate(write) : response.once("drain", write));
    write();
  });
  let wasCut = false;
  await new Promise<void>((done) => endless.listen(0, "127.0.0.1", done));
  afterFile(async () => void endless.close());
  const { port } = endless.address() as AddressInfo;
  const target = {
    url: `http://127.0.0.1:${port}/`,
    form: "webhook",
    token: undefined,
    httpWorkerFile,
  } as const;
  await requestPurge(thread, target, ["post-1"]);
  await vi.waitUntil(() => wasCut);
});

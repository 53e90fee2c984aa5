import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runDoctor } from "../../cli/doctor.ts";
import { findFreePort } from "../embedded/free-port.ts";
import { startBlogWithPost, type BlogWithPost } from "../../testing/blog-with-post.ts";
import { afterFile } from "../../testing/cleanup.ts";
import { atServer, query } from "../../testing/database-server.ts";
import { createComment, createTag } from "../../testing/factories.ts";
import { json, startProcess, type Process } from "../../testing/processes.ts";
import { publicRequests, response, uncachedResponse } from "../../testing/public-responses.ts";
import { startStandby } from "../../testing/standby.ts";
import { startTestServer } from "../../testing/test-server.ts";

/** Writes, each followed by reads at once. */
const ROUNDS = Number(process.env["EXACTNESS_ROUNDS"] ?? 20);

let blog: BlogWithPost["blog"];
let standby: Awaited<ReturnType<typeof startStandby>>;
let replicaUrl: string;
let one: Process;
let other: Process;
let maya: BlogWithPost["maya"];
let postId: string;

beforeAll(async () => {
  // A standby replays all that its server writes, so other tests on the same server would delay it.
  const server = await startTestServer();
  afterFile(server.stop);
  ({ blog, maya, postId } = await startBlogWithPost(server));
  Object.assign(blog.services, { rateLimitsEnabled: false });
  await createTag(blog.db, { name: "Slate" }, [postId]);
  standby = await startStandby({ url: server.adminUrl, folder: server.folder ?? "" });
  afterFile(standby.stop);
  replicaUrl = atServer(standby.url, blog.url);
  [one, other] = [
    await startProcess(blog, { replicaUrls: [replicaUrl] }),
    await startProcess(blog, { replicaUrls: [replicaUrl] }),
  ];
  await whenUsed();
}, 120_000);

const replicaOf = (by: Process) => by.replicas?.each[0];
const isUsed = (by: Process) => replicaOf(by)?.isUsed() === true && (replicaOf(by)?.lagSeconds() ?? 1) < 0.2;
const whenUsed = () => vi.waitUntil(() => isUsed(one) && isUsed(other), { timeout: 15_000 });
const reads = (by: Process) => ({ primary: 0, replica: 0, repeated: 0, ...by.replicas?.reads });
const logged = (by: Process) =>
  by.lines.filter(({ replica }) => replica).map(({ reason = "used" }) => reason);

const authorization = () => ({ authorization: `Bearer ${maya.token}` });

async function rename(by: Process, title: string): Promise<void> {
  const headers = { ...json, ...authorization() };
  const body = JSON.stringify({ title });
  expect((await by.ask(`/api/posts/${postId}`, { method: "PUT", headers, body })).status).toBe(200);
}

async function readTitle(by: Process, headers: Record<string, string> = {}): Promise<string> {
  const { status, text } = await by.ask(`/api/posts/${postId}`, { headers });
  expect(status).toBe(200);
  return (JSON.parse(text) as { title: string }).title;
}

const marks = `{ posts(first: 3) { nodes { title viewerHasLiked viewerHasBookmarked user { viewerFollows } } }
  bookmarks(first: 3) { nodes { title } } }`;

test("responses are those of the primary, read on the replica without a failed statement", async () => {
  const before = reads(one);
  const requests = [
    ...publicRequests({ post: postId, user: maya.id, category: "Craft" }),
    ...["/search?q=slate", "/api/posts?search=slate", "/sitemap.xml", "/tags/slate"].map((path) => ({
      path,
    })),
    { path: `/graphql?query=${encodeURIComponent('{ search(query: "craft") { totalCount } }')}` },
    { path: `/graphql?query=${encodeURIComponent("{ posts(sort: { field: TITLE }) { nodes { title } } }")}` },
  ];
  for (const each of requests) expect(await response(one, each)).toEqual(await uncachedResponse(blog, each));
  const { text } = await one.gql(marks, authorization());
  expect(JSON.parse(text)).toEqual((await blog.gql(marks, {}, maya.token)).body);
  expect(reads(one).replica - before.replica).toBeGreaterThan(requests.length / 2);
  expect(reads(one).repeated).toBe(before.repeated);
});

describe("with a replica that replays late, none of the reads after a write is stale", () => {
  test.each([
    [0, "on"],
    [50, "on"],
    [150, "on"],
    [400, "on"],
    [0, "off"],
  ])(
    "by %i ms, with synchronous_commit %s",
    async (delay, commit) => {
      await query(blog.url, `ALTER SYSTEM SET synchronous_commit = ${commit}`);
      await query(blog.url, "SELECT pg_reload_conf()");
      await standby.delay(delay);
      const before = reads(one).replica + reads(other).replica;
      const stale: string[] = [];
      for (let n = 0; n < ROUNDS; n++) {
        const [writer, reader] = n % 2 ? [one, other] : [other, one];
        const title = `Round ${n} with ${delay} ms, ${commit}`;
        await rename(writer, title);
        const seen = await Promise.all([
          readTitle(writer),
          readTitle(writer, authorization()),
          readTitle(reader, authorization()),
        ]);
        if (seen.some((each) => each !== title)) stale.push(`${title}: ${seen.join()}`);
        await vi.waitUntil(async () => (await readTitle(reader)) === title, { timeout: 2_000, interval: 5 });
      }
      expect(stale).toEqual([]);
      if (delay < 200 && commit === "on")
        expect(reads(one).replica + reads(other).replica).toBeGreaterThan(before);
      await standby.delay(0);
      await query(blog.url, "ALTER SYSTEM RESET synchronous_commit");
      await query(blog.url, "SELECT pg_reload_conf()");
    },
    120_000,
  );

  test("and every cached response is current afterwards", async () => {
    const requests = publicRequests({ post: postId, user: maya.id, category: "Craft" });
    let isOver = false;
    const readers = [one, other].map(async (by) => {
      while (!isOver) for (const each of requests) await response(by, each);
    });
    for (let n = 0; n < 20; n++) {
      await (n % 4 < 2 ? standby.pause() : standby.resume());
      await Promise.all([
        rename(n % 2 ? one : other, `Paused ${n}`),
        createComment(blog.db, { postId, userId: maya.id }),
      ]);
      await new Promise((done) => setTimeout(done, 50));
    }
    isOver = true;
    await Promise.all(readers);
    await standby.resume();
    for (const by of [one, other])
      for (const each of requests)
        expect(await response(by, each)).toEqual(await uncachedResponse(blog, each));
  }, 120_000);
});

test("doctor says which replicas are used, and why not", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "blog-doctor-"));
  afterFile(() => rm(dataDir, { recursive: true, force: true }));
  const elsewhere = Object.assign(new URL(replicaUrl), { pathname: "/postgres" }).href;
  const away = Object.assign(new URL(replicaUrl), { port: String(await findFreePort()) }).href;
  const diagnose = async () => {
    const findings = await runDoctor({
      ...{ DATABASE_URL: blog.url, DATA_DIR: dataDir },
      DATABASE_REPLICA_URLS: [replicaUrl, blog.url, elsewhere, away].join(", "),
    });
    const lines = findings.map(({ verdict, message }) => `${verdict}: ${message}`);
    return lines.filter((line) => line.includes("replica"));
  };
  // On a busy machine the replica lags at first.
  await expect
    .poll(diagnose, { timeout: 20_000 })
    .toEqual([
      expect.stringMatching(
        /^ok: the replica 127.0.0.1:\d+\/blog_test_\w+ has replayed what the primary has$/,
      ),
      expect.stringMatching(/^problem: .* is not used: it is not a standby$/),
      expect.stringMatching(/^problem: .* is not used: it is not a copy of this database$/),
      expect.stringMatching(/^problem: .* cannot be used \(ECONNREFUSED\): see DATABASE_REPLICA_URLS$/),
    ]);
});

test("while the replay is paused, one read waits, the others do not, and after 5 s the replica is left out", async () => {
  await whenUsed();
  await standby.pause();
  await rename(one, "Paused");
  const began = performance.now();
  expect(await readTitle(one, authorization())).toBe("Paused");
  expect(performance.now() - began).toBeGreaterThan(150);
  for (let n = 0; n < 5; n++) {
    const began = performance.now();
    expect(await readTitle(one, authorization())).toBe("Paused");
    expect(performance.now() - began).toBeLessThan(150);
  }
  await expect.poll(() => logged(one), { timeout: 10_000 }).toEqual(["it lags behind the primary"]);
  expect(replicaOf(one)?.isUsed()).toBe(false);
  expect(replicaOf(one)?.lagSeconds()).toBeGreaterThan(5);
  expect(replicaOf(one)?.lagBytes()).toBeGreaterThan(0);
  await standby.resume();
  await whenUsed();
  expect(logged(one)).toEqual(["it lags behind the primary", "used"]);
}, 60_000);

test("a replica that is killed causes no error, and is used again after its start", async () => {
  await whenUsed();
  let isOver = false;
  const readers = [one, one, other, other].map(async (by) => {
    while (!isOver) {
      expect(await readTitle(by, authorization())).toBe("Paused");
      expect((await by.ask("/posts?page=1")).status).toBe(200);
    }
  });
  await standby.kill();
  await vi.waitUntil(() => !replicaOf(one)?.isUsed(), { timeout: 5_000 });
  await new Promise((done) => setTimeout(done, 500));
  isOver = true;
  await Promise.all(readers);
  await standby.start();
  await whenUsed();
  const before = reads(other).replica;
  const readAgain = async () => {
    await readTitle(other, authorization());
    return reads(other).replica;
  };
  // A replica that has just started may lag for a moment, and is left out then.
  await expect.poll(readAgain, { timeout: 5_000 }).toBeGreaterThan(before);
}, 120_000);

test("a promoted replica is left out", async () => {
  await standby.promote();
  await vi.waitUntil(() => !replicaOf(one)?.isUsed() && !replicaOf(other)?.isUsed(), { timeout: 5_000 });
  await expect.poll(() => logged(one).at(-1), { timeout: 5_000 }).toBe("it is not a standby");
  const before = reads(one);
  await rename(other, "After the promotion");
  expect(await readTitle(one, authorization())).toBe("After the promotion");
  expect(reads(one).replica).toBe(before.replica);
}, 30_000);

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDatabase } from "../server/data/client.ts";
import { openEmbeddedPostgres, type EmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { createDatabase } from "../server/testing/database-server.ts";
import { blankPicture, createCategory } from "../server/testing/factories.ts";
import { makeDataDir, removeDataDir, startBlog } from "./testing/blog.ts";

const run = promisify(execFile);
const folders: string[] = [];
async function newFolder(): Promise<string> {
  const made = await makeDataDir();
  folders.push(made);
  return made;
}

let server: EmbeddedPostgres;
beforeAll(async () => {
  server = await openEmbeddedPostgres(await newFolder(), () => {});
});
afterAll(async () => {
  await server.stop();
  await Promise.all(folders.map(removeDataDir));
});

const admin = { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "correct horse battery" };
const read = async (url: string, path: string) => (await fetch(url + path)).json() as Promise<any>;

async function logIn(url: string): Promise<string> {
  const body = JSON.stringify({ email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body });
  return ((await response.json()) as { token: string }).token;
}

test("two processes share one DATA_DIR, and the remaining one keeps its server.pid", async () => {
  const env = { ...admin, DATABASE_URL: (await createDatabase(server.url, "shared")).url };
  const dataDir = await newFolder();
  const one = await startBlog({ dataDir, env });
  const two = await startBlog({ dataDir, env });
  for (const { output } of [one, two]) expect(output()).not.toContain("Warning");
  const response = await fetch(`${one.url}/api/categories`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${await logIn(one.url)}` },
    body: JSON.stringify({ title: "Shared" }),
  });
  expect(response.status).toBe(201);
  await expect.poll(() => read(two.url, "/api/categories")).toMatchObject([{ title: "Shared" }]);
  expect(await read(two.url, "/api/posts/count")).toBe(0);
  expect(await one.stop()).toBe(0);
  expect(Number(await readFile(join(dataDir, "server.pid"), "utf8"))).toBe(two.process.pid);
  expect(await two.stop()).toBe(0);
  expect(await readdir(dataDir)).not.toContain("server.pid");
});

test("a process with a different picture folder prints a warning until the folder is adopted", async () => {
  const env = { ...admin, DATABASE_URL: (await createDatabase(server.url, "apart")).url };
  const first = await startBlog({ dataDir: await newFolder(), env });
  expect(first.output()).not.toContain("Warning");
  expect(await first.stop()).toBe(0);
  const dataDir = await newFolder();
  const warning = `${join(dataDir, "media")} is not the folder with the pictures of this database`;
  const command = (...args: string[]) =>
    run(process.execPath, ["dist/server/blog.js", ...args], {
      env: { ...process.env, ...env, DATA_DIR: dataDir },
    });
  const second = await startBlog({ dataDir, env });
  expect(second.output()).toContain(`Warning: ${warning}`);
  expect(await second.stop()).toBe(0);
  await expect(command("doctor")).rejects.toMatchObject({ stdout: expect.stringContaining(warning) });
  expect((await command("media", "adopt")).stdout).toContain("is the folder with the pictures");
  expect((await command("doctor")).stdout).toContain("the pictures are those of the database");
});

const DRAFTS = 200;

/** Sends documents of 25 mutations each. */
async function schedule(url: string, ids: string[], publishAt: Date, token: string): Promise<void> {
  for (let first = 0; first < ids.length; first += 25) {
    const fields = ids
      .slice(first, first + 25)
      .map(
        (id, n) =>
          `d${n}: scheduleDraft(id: "${id}", version: 1, publishAt: "${publishAt.toISOString()}") { id }`,
      );
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: `mutation { ${fields.join(" ")} }` }),
    });
    expect(await response.json()).not.toHaveProperty("errors");
  }
}

test("200 drafts of one second are published by three processes, each once and none later than 5 s", async () => {
  const { url: databaseUrl } = await createDatabase(server.url, "scheduled");
  const env = { ...admin, DATABASE_URL: databaseUrl, RATE_LIMITS: "off" };
  const dataDir = await newFolder();
  const start = () => startBlog({ dataDir, env });
  const blogs = [await start(), ...(await Promise.all([start(), start()]))];
  const database = openDatabase(databaseUrl);
  await createCategory(database.db, "Craft");
  const { id: userId } = await database.db.user.findFirstOrThrow();
  const pictures = Array.from({ length: DRAFTS }, blankPicture);
  await database.db.picture.createMany({ data: pictures });
  const content = { title: "On moss", description: "It grows where it is left alone.", category: "Craft" };
  const drafts = pictures.map(({ id }) => ({ ...content, userId, pictureId: id }));
  const ids = (await database.db.draft.createManyAndReturn({ data: drafts })).map(({ id }) => id);
  const token = await logIn(blogs[0]!.url);
  const publishAt = new Date(Date.now() + 20_000);
  await schedule(blogs[0]!.url, ids, publishAt, token);
  const counts = () => Promise.all(blogs.map((each) => read(each.url, "/api/posts/count")));
  const all = blogs.map(() => DRAFTS);
  await vi.waitFor(async () => expect(await counts()).toEqual(all), { timeout: 80_000, interval: 50 });
  const latest = Date.now() - publishAt.getTime();
  console.info(`the last of ${DRAFTS} scheduled drafts was shown ${latest} ms after its time`);
  // A machine that is busy with other work is as much slower.
  expect(latest).toBeLessThan(5_000 * Math.max(1, loadavg()[0]! / availableParallelism()));
  const posts = await database.db.post.findMany({ select: { draftId: true } });
  expect(posts.map(({ draftId }) => draftId).sort()).toEqual(ids.sort());
  expect(await database.db.draft.count()).toBe(0);
  await database.close();
  for (const { stop } of blogs) expect(await stop()).toBe(0);
}, 180_000);

/** Set PAIRS=20 for the long run. */
const PAIRS = Number(process.env["PAIRS"] ?? 1);

test(
  "two simultaneous first starts create the demo content once",
  async () => {
    for (let pair = 0; pair < PAIRS; pair++) {
      const dataDir = await newFolder();
      const env = { DATABASE_URL: (await createDatabase(server.url, `pair_${pair}`)).url, DEMO: "on" };
      const blogs = await Promise.all([startBlog({ dataDir, env }), startBlog({ dataDir, env })]);
      for (const { url } of blogs) expect(await read(url, "/api/posts/count")).toBe(40);
      const shards = (await readdir(join(dataDir, "media"))).filter((name) => name.length === 2);
      const pictures = await Promise.all(shards.map((shard) => readdir(join(dataDir, "media", shard))));
      expect(pictures.flat()).toHaveLength(48);
      for (const { stop } of blogs) expect(await stop()).toBe(0);
    }
  },
  60_000 * PAIRS,
);

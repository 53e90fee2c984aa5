import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { completePicture } from "../domain/pictures.ts";
import { findFreePort } from "../data/embedded/free-port.ts";
import { readEnv } from "../env.ts";
import { StoreUnavailable } from "../errors.ts";
import { openEncoder } from "../media/encoder.ts";
import { idsIn } from "../media/picture-files.ts";
import { openMediaStore } from "../media/store.ts";
import { openStores } from "../media/stores.ts";
import { openServices } from "../services.ts";
import { startTestApp } from "../testing/app.ts";
import { startBucketServer } from "../testing/bucket.ts";
import { bucketKeys } from "../testing/bucket-server.ts";
import { afterFile } from "../testing/cleanup.ts";
import { createCategory } from "../testing/factories.ts";
import { createDatabase, query } from "../testing/database-server.ts";
import { makePicture } from "../testing/pictures.ts";
import { backup } from "./backup.ts";
import { runDoctor } from "./doctor.ts";
import { runMedia } from "./media.ts";
import { restore } from "./restore.ts";

const silent = () => undefined;
const server = await startBucketServer();
const { bucket } = await server.make();
const MEDIA_URL = `s3://${bucket}?endpoint=${server.endpoint}`;

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "blog-move-"));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const dataDir = await makeFolder();
const keys = { AWS_ACCESS_KEY_ID: bucketKeys.accessKeyId, AWS_SECRET_ACCESS_KEY: bucketKeys.secretAccessKey };
const base: Record<string, string> = { DATA_DIR: dataDir, ...keys };
const envOf = (more: Record<string, string>) => readEnv({ ...base, ...more });

/** A running blog, with the stores of its settings. */
async function startBlog(more: Record<string, string>) {
  const stores = await openStores(envOf(more).stores);
  const encoder = openEncoder({ file: resolve("dist/server/encoder-process.js") });
  const media = openMediaStore(stores.files, { site: "http://blog.test/media" }, encoder);
  const blog = await startTestApp({ openPicture: stores.files.open }, { media });
  afterFile(async () => {
    await encoder.close();
    stores.close();
  });
  Object.assign(blog.services, { rateLimitsEnabled: false });
  await createCategory(blog.db, "Craft");
  const { token } = await blog.signUp();
  const fields = { title: "Bread", description: "A text that is long enough.", category: "Craft" };
  const image = { name: "image", value: await makePicture("jpeg", 700, 400), filename: "a.jpg" };
  const publish = async () => {
    const form = Object.entries(fields).map(([name, value]) => ({ name, value }));
    const { status, body } = await blog.restForm("POST", "/posts", token, [...form, image]);
    expect(status).toBe(201);
    return { id: body._id as string, picture: body.image.publicId as string, url: body.image.url as string };
  };
  const remove = (id: string) => blog.rest("DELETE", `/posts/${id}`, token);
  const show = async ({ url }: { url: string }) => (await blog.app.inject(new URL(url).pathname)).statusCode;
  return { ...blog, stores, publish, remove, show };
}

describe.each([
  ["a bucket", { MEDIA_URL, MEDIA_PREVIOUS_URL: "folder" }],
  ["the folder", { MEDIA_URL: "folder", MEDIA_PREVIOUS_URL: MEDIA_URL }],
])("media move to %s", (_name, settings) => {
  test("moves every picture while the blog writes, and is finished when nothing is left", async () => {
    const blog = await startBlog(settings);
    const [to, from] = blog.stores.each;
    const env = envOf({ ...settings, DATABASE_URL: blog.url });
    const old = [await blog.publish(), await blog.publish(), await blog.publish()];
    for (const { picture } of old) {
      const files = (await to!.namesOf(picture)).map(async (name) => ({
        name,
        bytes: await to!.read(picture, name),
      }));
      await from!.create(picture, await Promise.all(files));
      await to!.remove(picture);
    }
    for (const each of old) expect(await blog.show(each)).toBe(200);
    const write = async () => {
      const added = [await blog.publish(), await blog.publish()];
      await blog.remove(old[2]!.id);
      while (await completePicture(blog.services));
      return added;
    };
    const [output, added] = await Promise.all([runMedia(env, ["move"], silent), write()]);
    expect(output).toContain(`to ${to!.name}, which has all of this database now`);
    expect(await runMedia(env, ["move"], silent)).toMatch(/^Copied \d+ pictures/);
    expect(await runMedia(env, ["move"], silent)).toMatch(/^Copied 0 pictures/);
    const owner = await query(blog.url, `SELECT id FROM "MediaFolder"`);
    expect(owner).toEqual([{ id: await to!.readStoreId() }]);
    const remaining = [...old.slice(0, 2), ...added];
    expect((await idsIn(to!)).sort()).toEqual(remaining.map(({ picture }) => picture).sort());
    expect(await runMedia(env, ["move", "--remove"], silent)).toMatch(/^Removed 2 pictures/);
    expect(await idsIn(from!)).toEqual([]);
    for (const each of remaining) {
      expect(await blog.show(each)).toBe(200);
      expect(await to!.namesOf(each.picture)).toEqual(expect.arrayContaining(["700.webp", "picture.jpg"]));
      await blog.remove(each.id);
    }
    expect(await idsIn(to!)).toEqual([]);
  });
});

test("a move without its second store is refused", async () => {
  await expect(async () => runMedia(envOf({ MEDIA_URL }), ["move"], silent)).rejects.toThrow(
    "MEDIA_PREVIOUS_URL is not set",
  );
  expect(() => runMedia(envOf({ MEDIA_URL }), ["leave"], silent)).toThrow("Usage:");
});

describe("with pictures in a bucket", () => {
  let blog: Awaited<ReturnType<typeof startBlog>>;
  let post: Awaited<ReturnType<typeof blog.publish>>;
  beforeAll(async () => {
    blog = await startBlog({ MEDIA_URL });
    post = await blog.publish();
    await runMedia(envOf({ MEDIA_URL, DATABASE_URL: blog.url }), ["adopt"], silent);
  });
  const look = async (more: Record<string, string> = {}) =>
    (await runDoctor({ ...base, DATABASE_URL: blog.url, MEDIA_URL, ...more })).map(
      ({ verdict, message }) => `${verdict}: ${message}`,
    );
  const worse = async (more: Record<string, string>) =>
    (await look(more)).filter((line) => !line.startsWith("ok"));

  test("a backup has them, and a restore brings them into another bucket", async () => {
    const file = join(await makeFolder(), "blog.tar.gz");
    const env = { MEDIA_URL, DATABASE_URL: blog.url, DATA_DIR: await makeFolder() };
    expect(await backup(envOf(env), [file], silent)).toContain(", 1 pictures.");
    const other = await server.make();
    const { url, drop } = await createDatabase(inject("postgres").adminUrl, "restored");
    afterFile(drop);
    const target = envOf({
      ...env,
      DATABASE_URL: url,
      MEDIA_URL: `s3://${other.bucket}?endpoint=${server.endpoint}`,
    });
    expect(await restore(target, [file], silent)).toContain("Restored.");
    const { files } = await openStores(target.stores);
    const { picture } = post;
    expect((await files.namesOf(picture)).sort()).toEqual((await blog.stores.files.namesOf(picture)).sort());
    expect(await files.read(picture, "picture.jpg")).toEqual(
      await blog.stores.files.read(picture, "picture.jpg"),
    );
  });

  test("the doctor checks the bucket instead of the folder, and leaves nothing there", async () => {
    const lines = await look();
    expect(lines.filter((line) => !line.startsWith("ok"))).toEqual([]);
    expect(lines.join("\n")).toContain(`s3://${bucket} at 127.0.0.1`);
    expect(lines.join("\n")).toContain("the pictures are those of the database");
    expect(lines.join("\n")).not.toContain(join(dataDir, "media"));
    expect((await readdir(join(server.directory, bucket))).some((name) => name.includes("probe"))).toBe(
      false,
    );
  });

  test("the doctor names what is wrong with a bucket, without its key", async () => {
    const at = (name: string, endpoint = server.endpoint) => ({
      MEDIA_URL: `s3://${name}?endpoint=${endpoint}`,
    });
    const port = await findFreePort();
    const cases: [Record<string, string>, RegExp][] = [
      [at("nothing-here"), /^problem: The bucket s3:\/\/nothing-here at 127\.\S+ does not exist: create it/],
      [at(bucket, `http://127.0.0.1:${port}`), /^problem: The bucket .* cannot be used \(ECONNREFUSED\)/],
      [
        { AWS_ACCESS_KEY_ID: "NOBODY" },
        /^problem: The bucket .* does not know the key: see AWS_ACCESS_KEY_ID/,
      ],
      [{ MEDIA_PREVIOUS_URL: "folder" }, /^warning: MEDIA_PREVIOUS_URL is set/],
    ];
    for (const [more, line] of cases) {
      const found = await worse(more);
      expect(found).toEqual([expect.stringMatching(line)]);
      expect(found.join()).not.toContain(bucketKeys.secretAccessKey);
    }
    const { bucket: other } = await server.make();
    expect(await worse(at(other))).toEqual([
      expect.stringMatching(/^problem: .* does not have the pictures of this database/),
    ]);
  });

  test("the doctor reads by the public address, which must not list the bucket", async () => {
    const shown = `${server.endpoint}/${bucket}`;
    expect(await worse({ MEDIA_PUBLIC_URL: shown })).toEqual([
      expect.stringMatching(/^problem: everybody can list the bucket/),
    ]);
    expect(await worse({ MEDIA_PUBLIC_URL: `${server.endpoint}/nothing` })).toEqual([
      expect.stringMatching(/^problem: MEDIA_PUBLIC_URL \S+ does not show the bucket \(404\)/),
    ]);
  });

  test("a start stops at a bucket that does not exist, before it opens the database", async () => {
    const env = envOf({
      MEDIA_URL: `s3://gone?endpoint=${server.endpoint}`,
      DATABASE_URL: "postgresql://x@127.0.0.1:1/x",
    });
    await expect(openServices(env, silent)).rejects.toThrow(/s3:\/\/gone at \S+ does not exist/);
  });

  test("a start goes on without a bucket that does not answer, and says so", async () => {
    const endpoint = `http://127.0.0.1:${await findFreePort()}`;
    const lines: string[] = [];
    const env = envOf({ MEDIA_URL: `s3://away?endpoint=${endpoint}`, DATABASE_URL: blog.url });
    const { startWorker, close } = await openServices(env, (line) => lines.push(line));
    const warn = vi.fn();
    await startWorker({ warn });
    await close();
    expect(warn).toHaveBeenCalledWith({ err: expect.any(StoreUnavailable) }, "no picture was swept");
    expect(lines).toEqual([
      expect.stringMatching(/^Warning: The bucket .*ECONNREFUSED.* pictures are missing/),
    ]);
  });
});

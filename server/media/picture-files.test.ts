import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StoreUnavailable } from "../errors.ts";
import { startBucketServer } from "../testing/bucket.ts";
import { afterFile } from "../testing/cleanup.ts";
import { openBothStores } from "./both-stores.ts";
import { openBucket } from "./bucket/bucket.ts";
import { openFolder } from "./folder.ts";
import { copyPictures, removeCopied } from "./move.ts";
import { idsIn, type PictureFiles } from "./picture-files.ts";
import { openMediaStore } from "./store.ts";

const server = await startBucketServer();

test("R27A: no card for a link preview takes the room of the database", async () => {
  const files = {
    has: async () => false,
    read: async () => Buffer.from(""),
    requireDiskSpace: async () => {},
  };
  const encoder = { encodeCard: async () => Buffer.from("card") };
  const full = () => Promise.reject(new Error("the database is full"));
  const urls = { site: "http://blog.test/media" };
  const media = openMediaStore(files as never, urls, encoder as never, full);
  await expect(media.addCard(randomUUID(), "127.0.0.1")).rejects.toThrow("the database is full");
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "blog-files-"));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const folderStore = async () => openFolder(await makeFolder());

async function bucketStore() {
  const bucket = await openBucket({ ...(await server.make()), keysPerPage: 7 });
  afterFile(async () => bucket.close());
  return bucket;
}

const bytes = (text: string) => Buffer.from(text);
const sample = [
  { name: "160.webp", bytes: bytes("small") },
  { name: "picture.jpg", bytes: bytes("jpeg") },
  { name: ".upload", bytes: bytes("original") },
];
const contentsOf = async (files: PictureFiles, id: string) => {
  const names = (await files.namesOf(id)).sort();
  const read = async (name: string) => [name, (await files.read(id, name)).toString()];
  return Object.fromEntries(await Promise.all(names.map(read))) as Record<string, string>;
};
const sampleContents = { "160.webp": "small", "picture.jpg": "jpeg", ".upload": "original" };
const gone = { code: "ENOENT" };

const stores: [string, () => Promise<PictureFiles>][] = [
  ["a folder", folderStore],
  ["a bucket", bucketStore],
  [
    "both, while pictures move to a bucket",
    async () => openBothStores(await bucketStore(), await folderStore()),
  ],
  [
    "both, while pictures move to a folder",
    async () => openBothStores(await folderStore(), await bucketStore()),
  ],
];

describe.each(stores)("pictures in %s", (_name, open) => {
  test("have the files that were stored, and further ones", async () => {
    const [files, id] = [await open(), randomUUID()];
    await files.create(id, sample);
    await files.add(id, "480.avif", bytes("wide"));
    expect(await contentsOf(files, id)).toEqual({ ...sampleContents, "480.avif": "wide" });
    expect(await files.has(id, "480.avif")).toBe(true);
    expect(await files.has(id, ".upload")).toBe(true);
    await files.remove(id, ".upload");
    await files.remove(id, ".upload");
    expect((await files.namesOf(id)).sort()).toEqual(["160.webp", "480.avif", "picture.jpg"]);
  });

  test("are missing before they are stored and after they are removed", async () => {
    const [files, id] = [await open(), randomUUID()];
    const isMissing = async () => {
      await expect(files.read(id, "picture.jpg")).rejects.toMatchObject(gone);
      await expect(files.read(id, ".upload")).rejects.toMatchObject(gone);
      await expect(files.add(id, "480.avif", bytes("late"))).rejects.toMatchObject(gone);
      expect([await files.has(id, "picture.jpg"), await files.has(id, ".upload")]).toEqual([false, false]);
      expect([await files.namesOf(id), await files.modifiedAt(id), await idsIn(files)]).toEqual([
        [],
        null,
        [],
      ]);
      expect(await files.copyInto(id, await makeFolder())).toBe(false);
    };
    await isMissing();
    await files.create(id, sample);
    await files.remove(id);
    await isMissing();
    await files.remove(id);
  });

  test("are listed, also when they were stored at once", async () => {
    const [files, ids] = [await open(), Array.from({ length: 12 }, () => randomUUID())];
    const before = Date.now() - 2_000;
    await Promise.all(ids.map((id) => files.create(id, sample)));
    expect((await idsIn(files)).sort()).toEqual([...ids].sort());
    const time = (await files.modifiedAt(ids[0]!)) ?? 0;
    expect(time).toBeGreaterThan(before);
    expect(time).toBeLessThan(Date.now() + 2_000);
    await files.writeStoreId("mark");
    expect(await files.readStoreId()).toBe("mark");
    expect(await idsIn(files)).toHaveLength(12);
  });

  test("are copied for a backup, and come back without files that do not belong", async () => {
    const [files, backup, id] = [await open(), await makeFolder(), randomUUID()];
    await files.create(id, sample);
    expect(await files.copyInto(id, backup)).toBe(true);
    await files.add(id, "480.avif", bytes("wide"));
    await writeFile(join(backup, id.slice(0, 2), id, "page.html"), "<script>");
    await files.remove(id);
    await files.restore(id, backup);
    expect(await contentsOf(files, id)).toEqual(sampleContents);
  });

  test("without a row are swept, unless they are younger than an hour or nearly all", async () => {
    const files = await open();
    const ids = Array.from({ length: 5 }, () => randomUUID());
    for (const id of ids) await files.create(id, sample);
    const [referenced, ...orphans] = ids;
    const findExisting = async (given: string[]) => new Set(given.filter((id) => id === referenced));
    const store = { id: "mark", adoptedAt: new Date(0) };
    const aged: PictureFiles = { ...files, modifiedAt: async () => Date.now() - 61 * 60_000 };
    const sweep = (from: PictureFiles, who = findExisting) =>
      openMediaStore(from, { site: "http://blog.test/media" }, {} as never).sweep(store, who);
    await files.writeStoreId("mark");
    expect(await sweep(files)).toEqual({ removed: 0, skipped: 0 });
    expect(await sweep(aged, async () => new Set())).toEqual({ removed: 0, skipped: 5 });
    expect(await sweep(aged)).toEqual({ removed: orphans.length, skipped: 0 });
    expect(await idsIn(files)).toEqual([referenced]);
  });
});

test("nothing stays of a picture that could not be stored whole", async () => {
  const [id, bucket] = [randomUUID(), await bucketStore()];
  const refuse = (request: { method?: string; url?: string; destroy?: () => void }) => {
    if (request.method === "PUT" && request.url?.includes("480")) request.destroy?.();
  };
  server.server.prependListener("request", refuse);
  const cut = bucket.create(id, [...sample, { name: "480.webp", bytes: Buffer.alloc(300_000) }]);
  await expect(cut).rejects.toBeInstanceOf(StoreUnavailable);
  server.server.off("request", refuse);
  expect(await bucket.namesOf(id)).toEqual([]);
  const folder = await makeFolder();
  await writeFile(join(folder, id.slice(0, 2)), "a file in the place of a folder");
  await expect(openFolder(folder).create(id, sample)).rejects.toThrow();
  expect(await readdir(folder)).toEqual([id.slice(0, 2)]);
});

test("an upload has a key in the bucket that nobody can guess from the picture's", async () => {
  const [id, bucket] = [randomUUID(), await bucketStore()];
  await bucket.create(id, sample);
  const [, name = ""] = / at (\S+)/.exec(bucket.name) ?? [];
  const folder = `http://${name}/${bucket.name.slice(5).split(" ")[0]}/${id.slice(0, 2)}/${id}`;
  const statusOf = async (file: string) => (await fetch(`${folder}/${file}`)).status;
  expect([await statusOf("picture.jpg"), await statusOf(".upload"), await statusOf(".upload-")]).toEqual([
    200, 404, 404,
  ]);
  expect((await fetch(`${folder}/picture.jpg`)).headers.get("content-type")).toBe("image/jpeg");
});

describe.each<[string, () => Promise<PictureFiles>, () => Promise<PictureFiles>]>([
  ["from a folder to a bucket", folderStore, bucketStore],
  ["from a bucket to a folder", bucketStore, folderStore],
])("a move %s", (_name, openFrom, openTo) => {
  const start = async () => {
    const [from, to] = [await openFrom(), await openTo()];
    const ids = Array.from({ length: 9 }, () => randomUUID());
    for (const id of ids) await from.create(id, sample);
    const findExisting = async (given: string[]) => given.filter((id) => id !== ids[8]);
    return { from, to, ids, move: { from, to, findExisting, report: () => undefined } };
  };

  test("copies all pictures of the database once, and removes those that are the same", async () => {
    const { from, to, ids, move } = await start();
    expect(await copyPictures(move)).toEqual({ copied: 8, damaged: 0 });
    expect(await contentsOf(to, ids[0]!)).toEqual(sampleContents);
    expect(await copyPictures(move)).toEqual({ copied: 0, damaged: 0 });
    await from.add(ids[0]!, "480.avif", bytes("wide"));
    expect(await removeCopied(move)).toEqual({ removed: 7, skipped: 1 });
    expect(await copyPictures(move)).toEqual({ copied: 1, damaged: 0 });
    expect(await removeCopied(move)).toEqual({ removed: 1, skipped: 0 });
    expect(await idsIn(from)).toEqual([ids[8]]);
    expect((await idsIn(to)).sort()).toEqual(ids.slice(0, 8).sort());
  });

  test("goes on where it was interrupted", async () => {
    const { to, move } = await start();
    let left = 3;
    const create: PictureFiles["create"] = async (...args) => {
      if (left-- === 0) throw new Error("interrupted");
      await to.create(...args);
    };
    await expect(copyPictures({ ...move, to: { ...to, create } })).rejects.toThrow("interrupted");
    const { length } = await idsIn(to);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(8);
    expect(await copyPictures(move)).toEqual({ copied: 8 - length, damaged: 0 });
  });

  test("copies a file that a job adds while a picture is compared", async () => {
    const { from, to, ids, move } = await start();
    const namesOf: PictureFiles["namesOf"] = async (id) => {
      const names = await to.namesOf(id);
      await from.add(id, "960.webp", bytes("wide"));
      return names;
    };
    expect(await copyPictures({ ...move, to: { ...to, namesOf } })).toEqual({ copied: 8, damaged: 0 });
    for (const id of ids.slice(0, 8)) expect(await contentsOf(to, id)).toMatchObject({ "960.webp": "wide" });
  });

  test("loses nothing that a blog writes and deletes meanwhile", async () => {
    const { from, to, ids, move } = await start();
    const blog = openBothStores(to, from);
    const added = randomUUID();
    const write = async () => {
      await blog.create(added, sample);
      for (const id of ids) await blog.add(id, "960.webp", bytes("wide")).catch(() => undefined);
      await blog.remove(ids[1]!);
      await blog.remove(ids[2]!, ".upload");
    };
    const all = { ...move, findExisting: async (given: string[]) => given };
    await Promise.all([copyPictures(all), write()]);
    await copyPictures(all);
    expect(await copyPictures(all)).toEqual({ copied: 0, damaged: 0 });
    for (const id of ids.filter((each) => each !== ids[1]))
      expect(await contentsOf(to, id)).toMatchObject({ "960.webp": "wide", "picture.jpg": "jpeg" });
    expect(await to.namesOf(ids[1]!)).toEqual([]);
    expect(await to.has(ids[2]!, ".upload")).toBe(false);
    expect(await contentsOf(to, added)).toEqual(sampleContents);
  });
});

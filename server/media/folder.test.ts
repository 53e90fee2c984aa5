import { randomUUID } from "node:crypto";
import files, { mkdtemp, rm, truncate } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { PICTURE_FILE_BYTES } from "../limits.ts";
import { openFolder } from "./folder.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "blog-folder-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Writes, syncs and renames in their order, with paths below the root. */
let steps: string[];
const { open, rename, writeFile } = files;
const replace = (replacement: Partial<typeof files>) => {
  Object.assign(files, replacement);
  syncBuiltinESMExports();
};
beforeEach(() => {
  steps = [];
  const note = (step: string, path: unknown) => steps.push(`${step} ${relative(root, String(path))}`);
  replace({
    writeFile: async (path, bytes, options) => {
      await writeFile(path, bytes, options);
      note((options as { flush?: boolean }).flush ? "write and sync" : "write", path);
    },
    open: async (path) => {
      const handle = await open(path);
      const sync = handle.sync.bind(handle);
      handle.sync = () => sync().then(() => void note("sync", path));
      return handle;
    },
    rename: async (from, to) => {
      await rename(from, to);
      note("rename to", to);
    },
  });
});
afterEach(() => replace({ open, rename, writeFile }));

const bytes = Buffer.from("bytes");
const id = randomUUID();
const home = `media/${id.slice(0, 2)}/${id}`;

test("a picture is on the disk, with the folders that it creates, before it is stored", async () => {
  await openFolder(join(root, "media")).create(id, [
    { name: "480.webp", bytes },
    { name: "picture.jpg", bytes },
  ]);
  expect(steps).toEqual([
    ...[`write and sync ${home}.part/480.webp`, `write and sync ${home}.part/picture.jpg`],
    ...[`sync ${home}.part`, `rename to ${home}`],
    ...[`sync media/${id.slice(0, 2)}`, "sync media", "sync "],
  ]);
});

test("the next file of the picture is on the disk before it is stored", async () => {
  await openFolder(join(root, "media")).add(id, "960.webp", bytes);
  const file = `${home}/960.webp`;
  expect(steps).toEqual([`write and sync ${file}.part`, `rename to ${file}`, `sync ${home}`]);
});

test("a restored picture is on the disk before its rows are committed", async () => {
  await openFolder(join(root, "restored")).restore(id, join(root, "media"));
  const restored = home.replace("media", "restored");
  expect([...steps.splice(0, 3).sort(), ...steps]).toEqual([
    ...["480.webp", "960.webp", "picture.jpg"].map((name) => `sync ${home}/${name}`),
    ...[`rename to ${restored}`, `sync ${restored}`],
    ...[`sync restored/${id.slice(0, 2)}`, "sync restored"],
  ]);
});

test("R43B-1: does not hold a file in memory that is larger than any picture", async () => {
  const folder = openFolder(root);
  const id = randomUUID();
  await folder.create(id, [{ name: "picture.jpg", bytes: Buffer.from("a") }]);
  const file = join(root, id.slice(0, 2), id, "picture.jpg");
  await truncate(file, PICTURE_FILE_BYTES);
  expect((await folder.read(id, "picture.jpg")).length).toBe(PICTURE_FILE_BYTES);
  await truncate(file, PICTURE_FILE_BYTES + 1);
  await expect(folder.read(id, "picture.jpg")).rejects.toThrow("larger than a picture may be");
});

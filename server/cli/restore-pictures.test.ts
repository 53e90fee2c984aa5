import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBucket } from "../media/bucket/bucket.ts";
import { openFolder } from "../media/folder.ts";
import type { PictureFiles } from "../media/picture-files.ts";
import { startBucketServer } from "../testing/bucket.ts";
import { afterFile } from "../testing/cleanup.ts";
import { restorePictures } from "./restore-pictures.ts";

const server = await startBucketServer();

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "blog-restore-"));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openTestBucket(): Promise<PictureFiles> {
  const bucket = await openBucket(await server.make());
  afterFile(async () => bucket.close());
  return bucket;
}

const pictureOf = (jpeg: string, ...others: string[]) =>
  ["picture.jpg", ...others].map((name) => ({ name, bytes: Buffer.from(jpeg) }));

async function contentsOf(files: PictureFiles, ids: string[]) {
  const contents: Record<string, string> = {};
  for (const id of ids)
    for (const name of (await files.namesOf(id)).sort())
      contents[`${ids.indexOf(id)} ${name}`] = (await files.read(id, name)).toString();
  return contents;
}

/** A backup of three pictures, of which the store has two with other bytes and fewer files. */
async function prepare(open: () => Promise<PictureFiles>) {
  const [ids, folder, files] = [[randomUUID(), randomUUID(), randomUUID()], await makeFolder(), await open()];
  const backup = openFolder(folder);
  for (const id of ids) await backup.create(id, pictureOf("in the backup", "160.webp", "480.webp"));
  for (const id of ids.slice(0, 2)) await files.create(id, pictureOf("in the store", "160.webp", "960.webp"));
  return { ids, folder, files, before: await contentsOf(files, ids) };
}

test.each([
  ["a folder", async () => openFolder(await makeFolder())],
  ["a bucket", openTestBucket],
])("a restore into %s that fails changes no file of pictures that both blogs have", async (_name, open) => {
  const { ids, folder, files, before } = await prepare(open);
  const failing = { ...files, restore: () => Promise.reject(new Error("the disk is full")) };
  await expect(restorePictures(folder, failing)).rejects.toThrow("the disk is full");
  expect(await contentsOf(files, ids)).toEqual(before);
});

test.each([
  ["a folder", async () => openFolder(await makeFolder())],
  ["a bucket", openTestBucket],
])(
  "a restore into %s adds what is missing, and replaces what differs after the commit",
  async (_name, open) => {
    const { ids, folder, files, before } = await prepare(open);
    const finish = await restorePictures(folder, files);
    const added = { "0 480.webp": "in the backup", "1 480.webp": "in the backup" };
    const third = { "2 160.webp": "in the backup", "2 480.webp": "in the backup" };
    const all = { ...before, ...added, ...third, "2 picture.jpg": "in the backup" };
    expect(await contentsOf(files, ids)).toEqual(all);
    await finish();
    const replaced = Object.keys(all).filter((name) => !name.endsWith("960.webp"));
    expect(await contentsOf(files, ids)).toEqual({
      ...all,
      ...Object.fromEntries(replaced.map((name) => [name, "in the backup"])),
    });
  },
);

import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StoreUnavailable } from "../../errors.ts";
import type { EncodedFile } from "../encode.ts";
import { withDeadline } from "../../with-deadline.ts";
import { DEADLINES, openClient, type BucketSettings } from "./client.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import { explainBucketError, nameOf, withWarnings, type BucketProblem } from "./errors.ts";
import { openObjects, type ListedObject, type Objects } from "./objects.ts";
import { openReader } from "./reading.ts";
import {
  isFileName,
  isMissingFile,
  isPictureId,
  JPEG,
  STORE_ID_FILE,
  missingFileError,
  nullIfMissing,
  typeOf,
  type PictureFiles,
} from "../picture-files.ts";

export type Bucket = PictureFiles & {
  /** Null if the bucket answers and can be listed. */
  findProblem: () => Promise<BucketProblem | null>;
  /** Writes and reads an object and, after `work`, removes it. @throws an error for `explain` */
  withProbe: <T>(work: (key: string) => Promise<T>) => Promise<T>;
  explain: (error: unknown) => string;
  close: () => void;
};

const YEAR = "public, max-age=31536000, immutable";

const folderOf = (id: string) => `${id.slice(0, 2)}/${id}/`;
const keyOf = (id: string, name: string) => folderOf(id) + name;

/**
 * `.upload` has metadata, such as a location, and a bucket may be public for those who know a key. So its key has a
 * random part, and is found by listing.
 */
const isPrivate = (name: string) => name.startsWith(".");

const nameIn = (key: string) => (key.split("/")[2] ?? "").replace(/^(\.[a-z]+)-.*$/, "$1");

function idIn(key: string): string | null {
  const [shard = "", id = "", name] = key.split("/");
  return name && isPictureId(id) && id.startsWith(shard) ? id : null;
}

/** A picture exists as soon as its JPEG does, which is written last and removed first. */
export async function openBucket(
  settings: BucketSettings,
  warn: (err: unknown) => void = () => undefined,
): Promise<Bucket> {
  const { client, sdk } = await openClient(settings);
  const access = { client, sdk, ...settings, toStoreError: withWarnings(warn) };
  const objects = openObjects(access);
  const has: PictureFiles["has"] = async (id, name) =>
    isPrivate(name) ? (await findPrivate(objects, id, name)) !== null : objects.has(keyOf(id, name));
  return {
    kind: "bucket",
    name: nameOf(settings),
    requireDiskSpace: async () => undefined,
    create: (id, files) => create(objects, id, files),
    add: async (id, name, bytes) => {
      if (!(await has(id, JPEG))) throw missingFileError(`${id} is deleted`);
      await put(objects, id, { name, bytes });
    },
    has,
    read: async (id, name) => {
      const key = isPrivate(name) ? await findPrivate(objects, id, name) : keyOf(id, name);
      if (!key) throw missingFileError(`${id} has no ${name}`);
      return objects.get(key);
    },
    namesOf: async (id) => (await listFiles(objects, id)).map(({ key }) => nameIn(key)),
    remove: (id, name) => remove(objects, id, name),
    list: () => listIds(objects),
    modifiedAt: async (id) => {
      const times = (await listFiles(objects, id)).map(({ time }) => time);
      return times.length > 0 ? Math.max(...times) : null;
    },
    copyInto: (id, folder) => downloadPicture(objects, id, join(folder, folderOf(id))),
    restore: (id, folder) => restore(objects, id, join(folder, folderOf(id))),
    readStoreId: () =>
      objects.get(STORE_ID_FILE).then((bytes) => bytes.toString("utf8").trim(), nullIfMissing),
    writeStoreId: async (mark) => void (await objects.put(STORE_ID_FILE, Buffer.from(`${mark}\n`))),
    open: openReader(access, keyOf),
    findProblem: async () => {
      const command = new sdk.ListObjectsCommand({ Bucket: settings.bucket, MaxKeys: 1 });
      return withDeadline(DEADLINES.read, (abortSignal) => client.send(command, { abortSignal })).then(
        () => null,
        (error: unknown) => explainBucketError(settings, error),
      );
    },
    withProbe: async (work) => {
      const key = `.probe-${randomUUID()}`;
      await objects.put(key, Buffer.from("ok\n"));
      try {
        await objects.get(key);
        return await work(key);
      } finally {
        await objects.remove(key);
      }
    },
    explain: (error) => explainBucketError(settings, error).message,
    close: () => client.destroy(),
  };
}

/** Far more files than one picture has, and those that are downloaded at a time. */
const [MAX_FILES, CONCURRENCY] = [500, 3];

async function listFiles(objects: Objects, id: string): Promise<ListedObject[]> {
  const files: ListedObject[] = [];
  for await (const page of objects.list(folderOf(id))) {
    files.push(...page);
    if (files.length > MAX_FILES)
      throw new StoreUnavailable(new Error(`the bucket lists ${files.length} files of a picture`));
  }
  return files;
}

async function findPrivate(objects: Objects, id: string, name: string): Promise<string | null> {
  const files = await listFiles(objects, id);
  return files.find(({ key }) => nameIn(key) === name)?.key ?? null;
}

function put(objects: Objects, id: string, { name, bytes }: EncodedFile) {
  if (isPrivate(name)) return objects.put(`${keyOf(id, name)}-${randomUUID()}`, bytes);
  return objects.put(keyOf(id, name), bytes, { ContentType: typeOf(name), CacheControl: YEAR });
}

async function create(objects: Objects, id: string, files: EncodedFile[]): Promise<void> {
  try {
    await Promise.all(files.filter(({ name }) => name !== JPEG).map((file) => put(objects, id, file)));
    for (const file of files) if (file.name === JPEG) await put(objects, id, file);
  } catch (error) {
    await remove(objects, id).catch(() => undefined);
    throw error;
  }
}

async function remove(objects: Objects, id: string, name?: string): Promise<void> {
  if (!name) await objects.remove(keyOf(id, JPEG));
  const files = (await listFiles(objects, id)).filter(({ key }) => !name || nameIn(key) === name);
  await Promise.all(files.map(({ key }) => objects.remove(key)));
}

async function* listIds(objects: Objects): AsyncIterable<string[]> {
  let last = "";
  for await (const page of objects.list()) {
    const ids = new Set(page.map(({ key }) => idIn(key)).filter((id) => id !== null));
    // The files of one picture follow each other, on two pages maybe.
    yield [...ids].filter((id) => id !== last);
    last = [...ids].at(-1) ?? last;
  }
}

async function downloadPicture(objects: Objects, id: string, home: string): Promise<boolean> {
  const files = await listFiles(objects, id);
  try {
    await mkdir(home, { recursive: true });
    const all = files.map(({ key }) => key);
    await forEachConcurrently(all, CONCURRENCY, async (key) =>
      writeFile(join(home, nameIn(key)), await objects.get(key)),
    );
    if (all.some((key) => nameIn(key) === JPEG)) return true;
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  await rm(home, { recursive: true, force: true });
  return false;
}

async function restore(objects: Objects, id: string, home: string): Promise<void> {
  const names = (await readdir(home)).filter(isFileName);
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: await readFile(join(home, name)) })),
  );
  await create(objects, id, files);
}

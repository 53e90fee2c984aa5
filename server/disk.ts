import fs from "node:fs/promises";
import { StoreUnavailable } from "./errors.ts";
import { PICTURE_FILE_BYTES } from "./limits.ts";
import { createBulkhead } from "./queue.ts";
import { inTime } from "./with-deadline.ts";

const limitFiles = createBulkhead("files");

/** Milliseconds; a disk that is shared with other work may take some seconds to write. */
const DEADLINE = 30_000;

const OUTAGES = ["ETIMEDOUT", "EIO", "ESTALE", "ENOTCONN", "EHOSTDOWN", "EHOSTUNREACH"];

/**
 * Limits how many of Node's threads wait for the disk at once, since hashes, compression and connections to the database
 * need the same threads. No operation of a file can be cancelled: it holds its permit until it ends.
 */
async function limit<T>(operation: () => Promise<T>, origin?: string): Promise<T> {
  const release = await limitFiles.acquire(origin);
  return inTime(operation().finally(release), DEADLINE, "the disk does not answer").catch(
    (error: NodeJS.ErrnoException) => {
      throw OUTAGES.includes(error.code ?? "") ? new StoreUnavailable(error) : error;
    },
  );
}

const onDisk =
  <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
  (...args: A): Promise<T> =>
    limit(() => call(...args));

export const copyFile = onDisk((from: string, to: string) => fs.copyFile(from, to));
export const link = onDisk((from: string, to: string) => fs.link(from, to));
export const mkdir = onDisk((path: string) => fs.mkdir(path, { recursive: true }));
export const readdir = onDisk((path: string) => fs.readdir(path));
export const readFile = onDisk(async (path: string) => {
  const { size } = await fs.stat(path);
  if (size > PICTURE_FILE_BYTES) throw new Error(`${path} is larger than a picture may be`);
  return fs.readFile(path);
});
export const rename = onDisk((from: string, to: string) => fs.rename(from, to));
export const rm = onDisk((path: string) => fs.rm(path, { recursive: true, force: true }));
export const stat = onDisk((path: string) => fs.stat(path));
export const statfs = onDisk((path: string) => fs.statfs(path));
/** Waits until a file, or the names in a folder, would survive a failure of the machine. */
export const syncToDisk = onDisk(async (path: string) => {
  const opened = await fs.open(path);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
});
/** In turns of networks. */
export const statFor = (origin: string | undefined, path: string) => limit(() => fs.stat(path), origin);
/** In turns of networks, without the rest of the file in memory. */
export const readPartFor = (origin: string | undefined, path: string, first: number, end: number) =>
  limit(async () => {
    const file = await fs.open(path);
    try {
      const length = end - first;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, first);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }, origin);
export const writeFile = onDisk((path: string, bytes: Buffer | string, options: { mode?: number } = {}) =>
  fs.writeFile(path, bytes, { flush: true, ...options }),
);

import { statfs } from "node:fs/promises";
import { databaseFull, storageFull } from "./errors.ts";

/** In bytes, between them a share of the disk. Texts may use half of what pictures leave, but for four segments of PostgreSQL's log. */
const RESERVES = {
  pictures: { least: 0, share: 1 / 20, most: 1e9, full: storageFull },
  texts: { least: 64e6, share: 1 / 40, most: 5e8, full: databaseFull },
};

type Disk = { bavail: number; blocks: number; bsize: number };

/** @throws INSUFFICIENT_STORAGE if less of the folder's disk is free than must stay for other data */
export async function requireDiskSpace(
  folder: string,
  use: keyof typeof RESERVES,
  readDisk: (folder: string) => Promise<Disk> = statfs,
): Promise<void> {
  const { least, share, most, full } = RESERVES[use];
  const { bavail, blocks, bsize } = await readDisk(folder);
  if (bavail * bsize < Math.min(most, Math.max(least, blocks * bsize * share)))
    throw full(new Error("too little room is left"));
}

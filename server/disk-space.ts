import { statfs } from "node:fs/promises";
import { databaseFull, storageFull } from "./errors.ts";

/** In bytes, between them a share of the disk. Texts may use half of what pictures leave. */
const RESERVES = {
  pictures: { least: 0, share: 1 / 20, most: 1e9, full: storageFull },
  texts: { least: 64e6, share: 1 / 40, most: 5e8, full: databaseFull },
};

type Disk = Record<"bavail" | "blocks" | "bsize" | "ffree" | "files", number>;

type Options = {
  /** Bytes that files which exist already may still grow by. */
  growth?: number;
  readDisk?: (folder: string) => Promise<Disk>;
};

/** @throws INSUFFICIENT_STORAGE if fewer bytes or files of the folder's disk are free than must stay for other data */
export async function requireDiskSpace(
  folder: string,
  use: keyof typeof RESERVES,
  { growth = 0, readDisk = statfs }: Options = {},
): Promise<void> {
  const { least, share, most, full } = RESERVES[use];
  const { bavail, blocks, bsize, ffree, files } = await readDisk(folder);
  const reserve = growth + Math.min(most, Math.max(least, blocks * bsize * share));
  // Some file systems have no limit of files, and report 0.
  if (bavail * bsize < reserve || ffree < files * share) throw full(new Error("too little room is left"));
}

import { statfs } from "node:fs/promises";
import { databaseFull } from "../../errors.ts";

/** Bytes: four segments of PostgreSQL's log, without which it ends, and half of what pictures leave. */
const [LEAST, MOST] = [64e6, 5e8];

/** The returned check before texts are stored keeps room for sign-ins and PostgreSQL's log. It throws INSUFFICIENT_STORAGE. */
export const requireRoomIn =
  (folder: string, readDisk: (folder: string) => Promise<Disk> = statfs) =>
  async (): Promise<void> => {
    const { bavail, blocks, bsize } = await readDisk(folder);
    const reserve = Math.min(MOST, Math.max(LEAST, (blocks * bsize) / 40));
    if (bavail * bsize < reserve) throw databaseFull(new Error("too little room is left"));
  };

type Disk = { bavail: number; blocks: number; bsize: number };

import { open } from "node:fs/promises";

/**
 * Waits until a file, or the names in a folder, are on the disk and would survive a failure of the machine. A file that
 * was created or renamed needs its folder's sync, too.
 */
export async function syncToDisk(path: string): Promise<void> {
  const opened = await open(path);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

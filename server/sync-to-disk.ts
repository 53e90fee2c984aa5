import { open } from "node:fs/promises";

/** Waits until a file, or the names in a folder, would survive a failure of the machine. */
export async function syncToDisk(path: string): Promise<void> {
  const opened = await open(path);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

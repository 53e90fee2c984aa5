import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { inject } from "vitest";
import type { MediaStore } from "../domain/media-store.ts";
import { openEncoder } from "../media/encoder.ts";
import { openFolder } from "../media/folder.ts";
import type { PictureFiles } from "../media/picture-files.ts";
import { openMediaStore } from "../media/store.ts";
import { openStores } from "../media/stores.ts";
import { startBucketServer } from "./bucket.ts";
import { afterFile } from "./cleanup.ts";

type TestMedia = {
  media: MediaStore;
  files: PictureFiles;
  /** Where the files are on the disk. */
  mediaFolder: string;
};

/** Pictures in a folder of their own; with `TOPOLOGY=full` in a bucket. */
export async function openTestMedia(requireDatabaseSpace: () => Promise<void>): Promise<TestMedia> {
  const encoder = openEncoder({ file: resolve("dist/server/encoder-process.js") });
  const { files, mediaFolder } = inject("topology") ? await openBucket() : await openFiles();
  afterFile(encoder.close);
  return {
    media: openMediaStore(files, { site: "http://blog.test/media" }, encoder, requireDatabaseSpace),
    ...{ files, mediaFolder },
  };
}

async function openFiles() {
  const mediaFolder = await mkdtemp(join(tmpdir(), "blog-media-"));
  afterFile(() => rm(mediaFolder, { recursive: true, force: true }));
  return { files: openFolder(mediaFolder), mediaFolder };
}

async function openBucket() {
  const server = await startBucketServer();
  const { bucket, endpoint, ...access } = await server.make();
  const mediaFolder = join(server.directory, bucket);
  const { files, close } = await openStores({
    folder: mediaFolder,
    store: { bucket, endpoint },
    previous: null,
    ...access,
  });
  afterFile(async () => close());
  return { files, mediaFolder };
}

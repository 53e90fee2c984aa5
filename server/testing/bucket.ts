import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BucketSettings } from "../media/bucket/client.ts";
import { bucketKeys, createBucketServer } from "./bucket-server.ts";
import { afterFile } from "./cleanup.ts";
import { httpWorkerFile } from "./http-worker.ts";

/** An S3-compatible server on a free port, which checks signatures, with an empty bucket for each call of `make`. */
export async function startBucketServer() {
  const directory = await mkdtemp(join(tmpdir(), "blog-bucket-"));
  const server = createBucketServer(directory);
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  afterFile(async () => {
    server.httpServer.closeAllConnections();
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    endpoint,
    directory,
    server: server.httpServer,
    make: async (): Promise<Omit<Required<BucketSettings>, "region" | "keysPerPage">> => {
      const bucket = `pictures-${randomBytes(4).toString("hex")}`;
      await server.store.putBucket(bucket);
      return { bucket, endpoint, keys: bucketKeys, httpWorkerFile };
    },
  };
}

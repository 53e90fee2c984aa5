import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import type { BucketSettings } from "../media/bucket-client.ts";
import { afterFile } from "./cleanup.ts";

/** The only account of the server. */
export const bucketKeys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** An S3-compatible server on a free port, which checks signatures, with an empty bucket for each call of `make`. */
export async function startBucketServer() {
  const directory = await mkdtemp(join(tmpdir(), "blog-bucket-"));
  const server = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory, vhostBuckets: false });
  // It computes another signature than the SDK for the address of a bucket, which ends with a slash.
  server.middleware.unshift((ctx, next) => {
    if (ctx.path.endsWith("/"))
      ctx.app = Object.create(server, { allowMismatchedSignatures: { value: true } }) as S3rver;
    return next();
  });
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
    make: async (): Promise<Required<Pick<BucketSettings, "bucket" | "endpoint" | "keys">>> => {
      const bucket = `pictures-${randomBytes(4).toString("hex")}`;
      await server.store.putBucket(bucket);
      return { bucket, endpoint, keys: bucketKeys };
    },
  };
}

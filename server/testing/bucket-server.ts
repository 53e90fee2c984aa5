import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import S3rver from "@20minutes/s3rver";

/** The only account of the server. */
export const bucketKeys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** An S3-compatible server, which checks signatures. */
export function createBucketServer(directory: string, port = 0): S3rver {
  const server = new S3rver({ address: "127.0.0.1", port, silent: true, directory, vhostBuckets: false });
  // It computes another signature than the SDK for the address of a bucket, which ends with a slash.
  server.middleware.unshift((ctx, next) => {
    if (ctx.path.endsWith("/"))
      ctx.app = Object.create(server, { allowMismatchedSignatures: { value: true } }) as S3rver;
    return next();
  });
  storeWholeObjects(server.store);
  return server;
}

/** As S3 does: an object whose client is killed during its upload is not stored, and does not damage the one before it. */
function storeWholeObjects(store: S3rver["store"]): void {
  const putContent = store.putContent.bind(store);
  store.putContent = async (path, content) => {
    const part = `${path}.${randomUUID()}`;
    try {
      const put = await putContent(part, content);
      await rename(part, path);
      return put;
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  };
}

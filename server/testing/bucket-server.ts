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
  return server;
}

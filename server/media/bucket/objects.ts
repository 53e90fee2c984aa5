import { setTimeout } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { withDeadline } from "../../with-deadline.ts";
import { DEADLINES } from "./client.ts";
import { nullIfMissing } from "../picture-files.ts";

export type ListedObject = { key: string; time: number };

export type Sdk = typeof import("@aws-sdk/client-s3");

export type BucketAccess = {
  client: S3Client;
  sdk: Sdk;
  bucket: string;
  keysPerPage?: number | undefined;
  toStoreError: (error: unknown) => Error;
};

const WRONG_ORDER = "the bucket lists keys again";
const WRONG_PREFIX = "the bucket lists keys of another prefix";

/** The calls of a bucket by keys, each with a deadline. They throw ENOENT, INSUFFICIENT_STORAGE and StoreUnavailable. */
export function openObjects({ client, sdk, bucket: Bucket, keysPerPage, toStoreError }: BucketAccess) {
  const call = <T>(milliseconds: number, run: (options: { abortSignal: AbortSignal }) => Promise<T>) =>
    withDeadline(milliseconds, (abortSignal) => run({ abortSignal })).catch((error: unknown) => {
      throw toStoreError(error);
    });
  return {
    /** Keys in their order, in pages, with a rest between them for the event loop. By the version of the call that every service has. */
    async *list(prefix = ""): AsyncIterable<ListedObject[]> {
      let Marker: string | undefined;
      let rest = 0;
      do {
        if (rest > 0) await setTimeout(rest);
        const began = performance.now();
        const command = new sdk.ListObjectsCommand({ Bucket, Prefix: prefix, Marker, MaxKeys: keysPerPage });
        const page = await call(DEADLINES.read, (options) => client.send(command, options));
        rest = 2 * (performance.now() - began);
        const keys = page.Contents ?? [];
        const next = page.IsTruncated ? keys.at(-1)?.Key : undefined;
        if (next !== undefined && Marker !== undefined && !isAfter(next, Marker))
          throw toStoreError(new Error(WRONG_ORDER));
        Marker = next;
        // A service that ignored the prefix would otherwise get other files deleted.
        if (!keys.every(({ Key }) => Key?.startsWith(prefix))) throw toStoreError(new Error(WRONG_PREFIX));
        yield keys.map(({ Key = "", LastModified }) => ({ key: Key, time: LastModified?.getTime() ?? 0 }));
      } while (Marker !== undefined);
    },
    get: (Key: string) =>
      call(DEADLINES.write, async (options) => {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }), options);
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      }),
    put: (Key: string, Body: Buffer, headers: { ContentType?: string; CacheControl?: string } = {}) =>
      call(DEADLINES.write, (options) =>
        client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ...headers }), options),
      ),
    remove: (Key: string) =>
      call(DEADLINES.read, (options) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), options)),
    has: (Key: string) =>
      call(DEADLINES.read, (options) =>
        client.send(new sdk.HeadObjectCommand({ Bucket, Key }), options),
      ).then(
        () => true,
        (error: unknown) => nullIfMissing(error) ?? false,
      ),
  };
}

/** In the order of UTF-8, which is that of buckets; JavaScript's differs for keys with emojis. */
const isAfter = (key: string, other: string) => Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0;

export type Objects = ReturnType<typeof openObjects>;

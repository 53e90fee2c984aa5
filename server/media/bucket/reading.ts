import type { Readable } from "node:stream";
import type { GetObjectCommandOutput, HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import type { OpenPicture, PictureRequest, PictureResponse } from "../../domain/ports.ts";
import { PICTURE_FILE_BYTES } from "../../limits.ts";
import { withDeadline } from "../../with-deadline.ts";
import { DEADLINES } from "./client.ts";
import { statusOf, type ServiceError } from "./errors.ts";
import type { BucketAccess } from "./objects.ts";
import { rangeIn, sinceIn, tagIn, unsatisfiable } from "../picture-conditions.ts";
import { isMissingFile, typeOf } from "../picture-files.ts";

type Output = GetObjectCommandOutput | HeadObjectCommandOutput;

/**
 * After a call that fails because of the service others fail at once for so many milliseconds, instead of occupying
 * requests until their deadline. A refusal may be caused by the headers of one request.
 */
const PAUSE = 1_000;
const isAway = (status: number) => status === 0 || status === 429 || status >= 500;

/** Passes the conditions of a request on to the bucket. @param keyOf the key of a file that may be public */
export function openReader(
  { client, sdk, bucket: Bucket, toStoreError }: BucketAccess,
  keyOf: (id: string, file: string) => string,
): OpenPicture {
  let paused: { until: number; error: Error } | null = null;

  async function send({ id, file, method, headers }: PictureRequest): Promise<Output> {
    const input = { Bucket, Key: keyOf(id, file), ...conditionsOf(headers) };
    return withDeadline<Output>(DEADLINES.read, (abortSignal) =>
      method === "HEAD"
        ? client.send(new sdk.HeadObjectCommand(input), { abortSignal })
        : client.send(new sdk.GetObjectCommand(input), { abortSignal }),
    );
  }

  async function open(request: PictureRequest): Promise<PictureResponse | null> {
    try {
      const output = await send(request);
      const { range, "if-range": ifRange, ...headers } = request.headers;
      if (!range || !ifRange || isFresh(output, ifRange)) return await responseOf(output, request);
      bodyOf(output)?.destroy();
      return await responseOf(await send({ ...request, headers }), request);
    } catch (error) {
      const status = statusOf(error);
      if (status === 304) return { status, headers: etagOf(error, request), body: null };
      if (status === 416) {
        const whole = await send({ ...request, method: "HEAD", headers: {} });
        return unsatisfiable(request.file, whole.ContentLength);
      }
      throw error;
    }
  }

  return async (request) => {
    if (paused && paused.until > performance.now()) throw paused.error;
    return open(request).catch((thrown: unknown) => {
      const error = toStoreError(thrown);
      if (isMissingFile(error)) return null;
      if (isAway(statusOf(thrown))) paused = { until: performance.now() + PAUSE, error };
      throw error;
    });
  };
}

function conditionsOf(headers: PictureRequest["headers"]) {
  const etag = tagIn(headers);
  const since = sinceIn(headers);
  return {
    ...(rangeIn(headers) && { Range: headers.range }),
    ...(etag && { IfNoneMatch: etag }),
    ...(since !== null && { IfModifiedSince: new Date(since) }),
  };
}

const isFresh = ({ ETag, LastModified }: Output, ifRange: string) =>
  ifRange === ETag || ifRange === LastModified?.toUTCString();

/** Some services leave the tag out of a 304, which was sent because of this one. */
function etagOf(error: unknown, { headers }: PictureRequest): Record<string, string> {
  const etag = (error as ServiceError).$response?.headers?.["etag"] ?? tagIn(headers);
  return etag ? { etag } : {};
}

const bodyOf = (output: Output) => ("Body" in output ? (output.Body as Readable | undefined) : undefined);

async function responseOf(output: Output, { file, admit }: PictureRequest): Promise<PictureResponse> {
  const { ContentLength, ContentRange, ETag, LastModified } = output;
  const stream = bodyOf(output);
  let isAdmitted = false;
  try {
    isAdmitted = !stream || !admit || (await admit(ContentLength ?? PICTURE_FILE_BYTES));
  } finally {
    if (!isAdmitted) stream?.destroy();
  }
  const body = isAdmitted ? await readWhole(stream) : null;
  const headers = {
    "accept-ranges": "bytes",
    "content-type": typeOf(file),
    ...(ContentLength !== undefined && { "content-length": String(ContentLength) }),
    ...(ContentRange && { "content-range": ContentRange }),
    ...(ETag && { etag: ETag }),
    ...(LastModified && { "last-modified": LastModified.toUTCString() }),
  };
  return { status: ContentRange ? 206 : 200, headers, body };
}

async function bytesOf(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

const readWhole = async (body: Readable | undefined): Promise<Buffer | null> =>
  body
    ? withDeadline(DEADLINES.body, (signal) => {
        signal.addEventListener("abort", () => body.destroy(new Error("the bucket is too slow")));
        return bytesOf(body);
      })
    : null;

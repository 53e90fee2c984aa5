import { pipeline, Transform, type Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";

export type BucketSettings = {
  bucket: string;
  /** The address of an S3-compatible service. AWS without it. */
  endpoint?: string | undefined;
  region?: string | undefined;
  /** For tests; a thousand otherwise. */
  keysPerPage?: number;
  /** Without them the SDK looks in its usual places: profiles, roles, the metadata of the machine. */
  keys?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined } | undefined;
};

/** Milliseconds: for a connection, and for the whole of a call by its kind; `body` for the bytes of a picture after their head. */
const CONNECT = 2_000;
export const DEADLINES = { read: 5_000, write: 30_000, body: 15_000 };
/** Milliseconds without a byte after which a connection is closed. */
const IDLE = 30_000;
/** More than the bulkhead `pictures` lets read, so that uploads and jobs always find one. */
const CONNECTIONS = 128;

/** Bytes: of a picture, more than any has, and of XML, which the SDK parses in one piece: a list of a thousand keys, an error. */
export const MOST_BYTES = { picture: 16 * 1024 * 1024, list: 1024 * 1024, error: 16 * 1024 };
/** Each part of a chunked answer is an event. TCP and TLS send a thousand bytes and more at once. */
const SMALL_PARTS = { bytes: 512, most: 500 };
/** No service sends one, and the parser of the SDK copies the whole answer for each. */
const DOCTYPE = /<!doctype/i;

/** Services other than AWS accept any region. */
const ANY_REGION = "us-east-1";

const WITHOUT_SDK =
  "A bucket for pictures needs the package @aws-sdk/client-s3, which is not installed: npm start installs it where MEDIA_URL is set.";

/** Loads the SDK, which a blog with a folder does without. */
export async function openClient({ endpoint, region, keys }: BucketSettings) {
  const sdk = await import("@aws-sdk/client-s3").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ERR_MODULE_NOT_FOUND" ? new Error(WITHOUT_SDK, { cause: error }) : error;
  });
  const create = (more: { region?: string | undefined }) => {
    const client = new sdk.S3Client({
      ...(keys && { credentials: keys as Required<typeof keys> }),
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(more.region && { region: more.region }),
      maxAttempts: 2,
      // The default checksums are unknown to many S3-compatible services.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: CONNECT,
        socketTimeout: IDLE,
        httpAgent: { maxSockets: CONNECTIONS },
        httpsAgent: { maxSockets: CONNECTIONS },
      },
      logger: silent,
    });
    limitAnswers(client);
    return client;
  };
  const client = create({ region });
  if (region || !endpoint || (await hasRegion(client))) return { client, sdk };
  client.destroy();
  return { client: create({ region: ANY_REGION }), sdk };
}

/** The SDK would read an answer without an end into memory. */
function limitAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (given) => {
        const result = await next(given);
        const response = result.response as { statusCode: number; body?: Readable };
        const isPicture = commandName === "GetObjectCommand";
        const kind = response.statusCode >= 300 ? "error" : isPicture ? "picture" : "list";
        if (response.body) response.body = limitBytes(response.body, kind);
        return result;
      },
    { step: "deserialize", priority: "low", name: "limitAnswers" },
  );
}

function limitBytes(body: Readable, kind: keyof typeof MOST_BYTES): Readable {
  let [bytes, parts] = [0, 0];
  let end = "";
  function isRefused(chunk: Buffer): boolean {
    if (kind === "picture") return false;
    const text = end + chunk.toString("latin1");
    end = text.slice(-DOCTYPE.source.length);
    return DOCTYPE.test(text);
  }
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      parts++;
      if (bytes > MOST_BYTES[kind]) done(new Error("the answer of the bucket is too long"));
      else if (parts > SMALL_PARTS.most + bytes / SMALL_PARTS.bytes)
        done(new Error("the answer of the bucket is sent in too small parts"));
      else if (isRefused(chunk)) done(new Error("the answer of the bucket has a document type"));
      else done(null, chunk);
    },
  });
  return pipeline(body, limited, () => undefined);
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const hasRegion = (client: S3Client) =>
  client.config.region().then(
    () => true,
    () => false,
  );

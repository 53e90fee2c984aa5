import type { S3Client } from "@aws-sdk/client-s3";
import { openHttpThread } from "../../outgoing/http-thread.ts";
import { limitCredentials } from "./credentials.ts";
import { createRequestHandler } from "./requests.ts";

export type BucketSettings = {
  bucket: string;
  /** The address of an S3-compatible service. AWS without it. */
  endpoint?: string | undefined;
  region?: string | undefined;
  /** The built `server/outgoing/http-worker.ts`. */
  httpWorkerFile: string;
  /** For tests; a thousand otherwise. */
  keysPerPage?: number;
  /** Without them the SDK looks in its usual places: profiles, roles, the metadata of the machine. */
  keys?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined } | undefined;
};

/** Milliseconds for the whole of a call by its kind; `body` for the bytes of a picture after their head. */
export const DEADLINES = { read: 5_000, write: 30_000, body: 15_000 };

const ANY_REGION = "us-east-1";

const WITHOUT_SDK =
  "A bucket for pictures needs the package @aws-sdk/client-s3, which is not installed: npm start installs it where MEDIA_URL is set.";

/** Loads the SDK, which a blog with a folder does without. */
export async function openClient({ endpoint, region, keys, httpWorkerFile }: BucketSettings) {
  const sdk = await import("@aws-sdk/client-s3").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ERR_MODULE_NOT_FOUND" ? new Error(WITHOUT_SDK, { cause: error }) : error;
  });
  const requestHandler = createRequestHandler(openHttpThread(httpWorkerFile));
  const construct = (more: { region?: string | undefined }) =>
    new sdk.S3Client({
      ...(keys && { credentials: keys as Required<typeof keys> }),
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(more.region && { region: more.region }),
      maxAttempts: 2,
      // The default checksums are unknown to many S3-compatible services.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      // Our connections do not wait for permission to send a body.
      expectContinueHeader: false,
      // A `Date` without a number would make all later signatures fail. The clock of the machine has to be right.
      disableClockSkewCorrection: true,
      requestHandler,
      logger: silent,
    });
  const create = (more: { region?: string | undefined }) => {
    const created = construct(more);
    if (!keys) limitCredentials(created, () => construct(more).config.credentials);
    return created;
  };
  const client = create({ region });
  if (region || !endpoint || (await hasRegion(client))) return { client, sdk };
  client.destroy();
  return { client: create({ region: ANY_REGION }), sdk };
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const hasRegion = (client: S3Client) =>
  client.config.region().then(
    () => true,
    () => false,
  );

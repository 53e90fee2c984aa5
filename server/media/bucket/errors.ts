import { storageFull, StoreUnavailable } from "../../errors.ts";
import type { BucketSettings } from "./client.ts";
import { createOutageWarnings, type Warn } from "../outage-warnings.ts";
import { missingFileError } from "../picture-files.ts";

/** An error of the SDK, whose types do not declare which errors a call throws. */
export type ServiceError = Error & {
  code?: string;
  $metadata?: { httpStatusCode?: number };
  $response?: { headers?: Record<string, string> };
};

export const statusOf = (error: unknown): number => (error as ServiceError).$metadata?.httpStatusCode ?? 0;

const FULL = /Quota|StorageFull|InsufficientCapacity/;

/** The SDK's errors hold the whole request with its signature, which no log may show. */
function withoutRequest(error: unknown): ServiceError {
  const { name, message, code, $metadata } = error as ServiceError;
  const copy: ServiceError = Object.assign(new Error(message), { name });
  if (code) copy.code = code;
  if ($metadata?.httpStatusCode) copy.$metadata = { httpStatusCode: $metadata.httpStatusCode };
  return copy;
}

/** Converts to the errors that callers of a store expect: ENOENT, INSUFFICIENT_STORAGE, or StoreUnavailable for all else. */
function toStoreError(thrown: unknown): Error {
  const error = withoutRequest(thrown);
  const { name } = error as ServiceError;
  if (name === "NoSuchKey" || (statusOf(error) === 404 && name !== "NoSuchBucket"))
    return missingFileError("the bucket has no such picture");
  return FULL.test(name) || statusOf(error) === 507 ? storageFull(error) : new StoreUnavailable(error);
}

export function withWarnings(warn: Warn): typeof toStoreError {
  const watch = createOutageWarnings(warn);
  return (thrown) => watch(toStoreError(thrown));
}

export const nameOf = ({ bucket, endpoint }: BucketSettings): string =>
  endpoint ? `s3://${bucket} at ${new URL(endpoint).host}` : `s3://${bucket}`;

/** Remedies for mistakes in the settings, by the name of the error. Retries do not help. */
const remedies: Record<string, string> = {
  NoSuchBucket: "does not exist: create it, or see MEDIA_URL",
  InvalidAccessKeyId: "does not know the key: see AWS_ACCESS_KEY_ID",
  SignatureDoesNotMatch: "refuses the key: see AWS_SECRET_ACCESS_KEY",
  AccessDenied: "denies access: its key must be allowed to list, read, write and delete",
  Forbidden: "denies access: its key must be allowed to list, read, write and delete",
  ExpiredToken: "refuses the key, which has expired: see AWS_SESSION_TOKEN",
  CredentialsProviderError: "needs a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  PermanentRedirect: "is in another region: see AWS_REGION",
  AuthorizationHeaderMalformed: "is in another region: see AWS_REGION",
  IllegalLocationConstraintException: "is in another region: see AWS_REGION",
};

export type BucketProblem = { message: string; isSetting: boolean };

/** One sentence for the operator, without keys. @param error of a call, or what `toStoreError` made of it */
export function explainBucketError(settings: BucketSettings, error: unknown): BucketProblem {
  const { name, code, message } = ((error as Error).cause ?? error) as ServiceError;
  const subject = `The bucket ${nameOf(settings)}`;
  if (/region is missing/i.test(message))
    return { message: `${subject} needs a region: set AWS_REGION.`, isSetting: true };
  const remedy = remedies[name];
  if (remedy) return { message: `${subject} ${remedy}.`, isSetting: true };
  const reason = name === "AbortError" || name === "TimeoutError" ? "no answer in time" : (code ?? name);
  return { message: `${subject} cannot be used (${reason}): see MEDIA_URL.`, isSetting: false };
}

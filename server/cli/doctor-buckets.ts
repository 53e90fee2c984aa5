import type { Env } from "../env.ts";
import type { Bucket } from "../media/bucket/bucket.ts";
import type { Stores } from "../media/stores.ts";
import { ok, problem, warning, type Finding } from "./findings.ts";

const DEADLINE = 5_000;

export async function checkBuckets(env: Env, { buckets, each }: Stores): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const bucket of buckets) findings.push(...(await checkBucket(bucket, env.stores.publicUrl)));
  if (env.stores.previous)
    findings.push(
      warning(`MEDIA_PREVIOUS_URL is set: until it is removed, pictures are also read from ${each[1]?.name}`),
    );
  return findings;
}

async function checkBucket(bucket: Bucket, publicUrl: string | undefined): Promise<Finding[]> {
  const trouble = await bucket.findProblem();
  if (trouble) return [problem(trouble.message)];
  try {
    return await bucket.withProbe(async (key) => [
      ok(`the bucket ${bucket.name} can be listed, read and written`),
      ...(publicUrl ? [await checkAddress(publicUrl, key), ...(await checkListing(publicUrl))] : []),
    ]);
  } catch (error) {
    return [problem(bucket.explain(error))];
  }
}

async function checkAddress(publicUrl: string, key: string): Promise<Finding> {
  const status = await fetchStatus(`${publicUrl}/${key}`);
  return status === 200
    ? ok(`MEDIA_PUBLIC_URL ${publicUrl} shows the bucket`)
    : problem(`MEDIA_PUBLIC_URL ${publicUrl} does not show the bucket (${status}): visitors see no pictures`);
}

const fetchStatus = (url: string): Promise<number | string> =>
  fetch(url, { signal: AbortSignal.timeout(DEADLINE) }).then(
    ({ status }) => status,
    () => "no answer",
  );

/** The addresses of pictures in drafts, and of uploads with their metadata, are secret. */
async function checkListing(publicUrl: string): Promise<Finding[]> {
  const text = await fetch(`${publicUrl}/?max-keys=1`, { signal: AbortSignal.timeout(DEADLINE) }).then(
    (response) => (response.ok ? response.text() : ""),
    () => "",
  );
  if (!text.includes("<ListBucketResult")) return [];
  return [
    problem("everybody can list the bucket, with the pictures of drafts: allow only reading of objects"),
  ];
}

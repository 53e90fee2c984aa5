import { tryPurge } from "../cdn/purges.ts";
import type { Env } from "../env.ts";
import { ok, problem, type Finding } from "./findings.ts";

export async function checkCdn({ cdn, publicUrl }: Env): Promise<Finding[]> {
  if (!cdn.purges) return [];
  return tryPurge(cdn.purges, publicUrl).then(
    () => [ok("the CDN can be purged")],
    ({ message }: Error) => [
      problem(`the CDN cannot be purged (${message}), and may serve old content: see CDN_PURGE_URL`),
    ],
  );
}

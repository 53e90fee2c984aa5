import type { CacheTag } from "../domain/ports.ts";
import { openHttpThread } from "../outgoing/http-thread.ts";
import type { Metric } from "../http/metrics.ts";
import { openPurgeQueue, type PurgeQueue } from "./purge-queue.ts";
import { requestPurge, type PurgeTarget } from "./purge-requests.ts";
import { createCdnTags } from "./tags.ts";

type Changes = { lead: (listener: (tags: readonly CacheTag[]) => void) => void };
type Log = Parameters<typeof openPurgeQueue>[0]["log"];

export function openPurges(target: PurgeTarget | null, site: string) {
  const { ofPurge } = createCdnTags(site);
  const thread = target && openHttpThread(target.httpWorkerFile);
  let queue: PurgeQueue | null = null;
  return {
    metrics: target ? metricsOf(() => queue?.counts() ?? { sent: 0, failed: 0, waiting: 0 }) : [],
    start(changes: Changes, log: Log): void {
      if (!target || !thread) return;
      queue = openPurgeQueue({ purge: (tags) => requestPurge(thread, target, ofPurge(tags)), log });
      // The pages of another release name other files.
      queue.add(["*"]);
      changes.lead(queue.add);
    },
    close: async () => {
      await queue?.close();
      thread?.close();
    },
  };
}

/** Purges nothing, but as every other purge does. @throws an error whose message holds no secret */
export async function tryPurge(target: PurgeTarget, site: string): Promise<void> {
  const thread = openHttpThread(target.httpWorkerFile);
  await requestPurge(thread, target, [createCdnTags(site).unused]).finally(thread.close);
}

const metricsOf = (counts: PurgeQueue["counts"]): Metric[] => [
  {
    name: "blog_cdn_purges_total",
    help: "Purges that the CDN confirmed.",
    read: () => counts().sent,
  },
  {
    name: "blog_cdn_purge_failures_total",
    help: "Attempts to purge that the CDN did not confirm.",
    read: () => counts().failed,
  },
  {
    name: "blog_cdn_purges_waiting",
    help: "Tags that are still to be purged.",
    read: () => counts().waiting,
  },
];

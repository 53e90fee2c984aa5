import { inject, vi } from "vitest";
import type { Database } from "../data/client.ts";
import { openQueries } from "../data/queries/queries.ts";
import { openReplicas } from "../data/replicas/replicas.ts";
import { afterFile } from "./cleanup.ts";
import { atServer } from "./database-server.ts";

/**
 * Reads on the replica of `TOPOLOGY=full`, for an application that tests write past: `notify` stands for the notifications of
 * all that is committed by then.
 */
export async function openReplicaReads(database: Database & { url: string }, now: () => Date) {
  const topology = inject("topology");
  if (!topology) throw new Error("there is no replica");
  let notify = () => {};
  const changes = {
    onChange: (listener: (tags: readonly ["*"]) => void) => void (notify = () => listener(["*"])),
    query: async <Row>(text: string) => (await database.pool.query(text)).rows as Row[],
  };
  const queries = openQueries(database, now);
  const primary = { ...database, queries, changes };
  const replicas = openReplicas([atServer(topology.replicaUrl, database.url)], primary, {
    now,
    log: { warn: () => undefined },
  });
  afterFile(async () => replicas.close());
  await vi.waitUntil(() => replicas.each.every(({ isUsed }) => isUsed()), { timeout: 20_000 });
  return { ...replicas, notify: () => notify() };
}

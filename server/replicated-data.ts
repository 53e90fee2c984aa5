import type { Services } from "./domain/context.ts";
import type { Connections, Database } from "./data/client.ts";
import type { InvalidationListener } from "./data/invalidation-listener.ts";
import { openPersistence } from "./data/persistence.ts";
import type { ReplicaLog } from "./data/replicas/replica.ts";
import { openReplicas } from "./data/replicas/replicas.ts";
import { replicaMetrics } from "./metrics/replica-metrics.ts";

/** Searches and sorted lists use the pool of a replica, two at a time. */
const POOL = 2;

type Options = Pick<Connections, "readPipeline" | "observers"> & {
  urls: readonly string[];
  log: ReplicaLog;
  now: Services["now"];
};

/** The database, and replicas for its reads, if there are any. */
export function openReplicated(database: Database, changes: InvalidationListener, options: Options) {
  const { urls, now, log, readPipeline, observers } = options;
  const persistence = openPersistence(database, now);
  if (urls.length === 0) return { persistence, openReads: null, metrics: [], close: () => undefined };
  const primary = { ...database, queries: persistence.queries, changes };
  const ofEach = { readPipeline, pool: POOL, now, log, ...(observers && { observers }) };
  const replicas = openReplicas(urls, primary, ofEach);
  return {
    persistence: { ...persistence, queries: replicas.queries },
    openReads: replicas.openReads,
    metrics: replicaMetrics(replicas),
    close: replicas.close,
  };
}

import type { Replicas } from "../data/replicas/replicas.ts";
import type { Metric } from "../http/metrics.ts";

export function replicaMetrics({ each, reads }: Pick<Replicas, "each" | "reads">): Metric[] {
  const ofEach = (
    name: string,
    help: string,
    read: (replica: Replicas["each"][number]) => number,
  ): Metric => ({
    ...{ name, help, label: "replica" },
    read: () =>
      Object.fromEntries(
        each.map((replica) => [replica.name, read(replica)] as const).filter(([, value]) => !isNaN(value)),
      ),
  });
  return [
    ofEach("blog_replica_used", "Whether reads may go to the replica.", ({ isUsed }) => (isUsed() ? 1 : 0)),
    ofEach(
      "blog_replica_lag_seconds",
      "Time that the replica took to replay what the primary had, in seconds.",
      ({ lagSeconds }) => lagSeconds(),
    ),
    ofEach(
      "blog_replica_lag_bytes",
      "Write-ahead log of the primary that the replica has not replayed, in bytes.",
      ({ lagBytes }) => lagBytes(),
    ),
    {
      name: "blog_replica_reads_total",
      help: "Reads by the server that answered them; repeated are those that failed on a replica, then went to the primary.",
      label: "server",
      read: () => ({ ...reads }),
    },
  ];
}

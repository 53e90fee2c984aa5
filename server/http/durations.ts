import type { Metric } from "prom-client";

type Series = { labels: Record<string, string>; buckets: number[]; sum: number; count: number };

const NAME = "http_request_duration_seconds";
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** prom-client's histogram looks up its labels at each observation, which takes as long as a cached response. */
export function openDurations() {
  const all = new Map<string, Series>();

  function seriesOf(method: string, route: string, status: string): Series {
    const key = `${status} ${method} ${route}`;
    const existing = all.get(key);
    if (existing) return existing;
    const buckets = BOUNDS.map(() => 0);
    const series = { labels: { method, route, status }, buckets, sum: 0, count: 0 };
    all.set(key, series);
    return series;
  }

  const metric = {
    name: NAME,
    help: "Duration of HTTP requests until the response was sent, in seconds.",
    type: "histogram",
    aggregator: "sum",
    get: async () => ({ ...metric, values: [...all.values()].flatMap(valuesOf) }),
  };
  return {
    metric: metric as unknown as Metric,
    observe(method: string, route: string, status: number, milliseconds: number): void {
      const series = seriesOf(method, route, `${Math.floor(status / 100)}xx`);
      const seconds = milliseconds / 1_000;
      const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
      series.sum += seconds;
      series.count++;
    },
  };
}

/** Prometheus buckets are cumulative. */
function valuesOf({ labels, buckets, sum, count }: Series) {
  let below = 0;
  const counts = BOUNDS.map((bound, index) => [bound, (below += buckets[index] ?? 0)] as const);
  return [
    ...[...counts, ["+Inf", count] as const].map(([le, value]) => ({
      metricName: `${NAME}_bucket`,
      labels: { le, ...labels },
      value,
    })),
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ];
}

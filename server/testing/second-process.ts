import { createApp, type AppOptions } from "../app.ts";
import { openDatabase } from "../data/client.ts";
import { openPersistence } from "../data/persistence.ts";
import type { RequestServices } from "../domain/context.ts";
import { afterFile } from "./cleanup.ts";
import { poolerOf } from "./database.ts";
import { openReplicaReads } from "./replica-reads.ts";

type First = { url: string; services: RequestServices; options: Omit<AppOptions, "services" | "openReads"> };

/**
 * For `TOPOLOGY=full`: another application on the same database, with connections and a replica of its own.
 * @returns null without it
 */
export async function startSecondProcess({ url, services: first, options }: First) {
  const pooler = poolerOf(url);
  if (!pooler) return null;
  const database = openDatabase(pooler, { pool: 8, poolMode: "transaction" });
  afterFile(database.close);
  const now = () => first.now();
  const reads = await openReplicaReads({ ...database, url }, now);
  const own = { ...openPersistence(database, now), queries: reads.queries };
  // Tests change the services of the first one, its clock for instance.
  const services = new Proxy(first, {
    get: (target, name) => Reflect.get(name in own ? own : target, name) as unknown,
  });
  const app = await createApp({ ...options, services, openReads: reads.openReads });
  afterFile(() => app.close());
  return { app, notify: reads.notify };
}

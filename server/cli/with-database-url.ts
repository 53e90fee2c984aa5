import { openEmbeddedPostgres } from "../data/embedded/embedded-postgres.ts";
import type { Env } from "../env.ts";
import { toStartError } from "../services.ts";

/** Provides the blog's database, bypassing a pooler. Starts the embedded one if it is not running. */
export async function withDatabaseUrl<T>(env: Env, work: (url: string) => Promise<T>): Promise<T> {
  if (env.DATABASE_URL) return work(env.DATABASE_DIRECT_URL ?? env.DATABASE_URL);
  const embedded = await openEmbeddedPostgres(env.DATA_DIR, () => {}).catch(toStartError);
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

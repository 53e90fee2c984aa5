import { openEmbeddedPostgres } from "../data/embedded/embedded-postgres.ts";
import type { Env } from "../env.ts";

/** Lends a command the database the blog uses, past a pooler; the embedded one is started for it when it does not run. */
export async function withDatabaseUrl<T>(env: Env, work: (url: string) => Promise<T>): Promise<T> {
  if (env.DATABASE_URL) return work(env.DATABASE_DIRECT_URL ?? env.DATABASE_URL);
  const embedded = await openEmbeddedPostgres(env.DATA_DIR, () => {});
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

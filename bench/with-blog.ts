import { join } from "node:path";
import { DATA } from "./data.ts";
import { start, type Running } from "./measure.ts";

/** Runs `measure` on a blog of its own. `name` is that of its data folder. */
export async function withBlog<T>(
  name: string,
  databaseUrl: string,
  env: Record<string, string>,
  measure: (blog: Running) => Promise<T>,
): Promise<T> {
  const blog = await start(name, ["node", join(import.meta.dirname, "../scripts/start.mjs")], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(DATA, name),
    RATE_LIMITS: "off",
    DEMO: "off",
    LOG_LEVEL: "warn",
    ...env,
  });
  try {
    return await measure(blog);
  } finally {
    await blog.stop();
  }
}

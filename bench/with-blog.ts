import { join } from "node:path";
import { DATA } from "./data.ts";
import { start, type Running } from "./measure.ts";

const root = join(import.meta.dirname, "..");

type Env = Record<string, string>;

/**
 * Starts a blog of its own.
 * @param name that of its data folder
 * @param folder a checkout of the product
 */
export const startBlog = (name: string, databaseUrl: string, env: Env, folder = root): Promise<Running> =>
  start(
    name,
    ["node", join(folder, "scripts/start.mjs")],
    {
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(DATA, name),
      RATE_LIMITS: "off",
      DEMO: "off",
      LOG_LEVEL: "warn",
      ...env,
    },
    folder,
  );

export async function withBlog<T>(
  name: string,
  databaseUrl: string,
  env: Env,
  measure: (blog: Running) => Promise<T>,
): Promise<T> {
  const blog = await startBlog(name, databaseUrl, env);
  try {
    return await measure(blog);
  } finally {
    await blog.stop();
  }
}

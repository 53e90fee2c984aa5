import type { Env } from "../env.ts";
import { fillEmptyBlog } from "../first-run.ts";
import { openServices } from "../services.ts";

export async function seed(env: Env): Promise<string> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const open = await openServices(env, print);
  try {
    if ((await open.services.db.post.count()) > 0) return "Nothing was written: this blog has posts.";
    const logins = await open.exclusively(() => fillEmptyBlog({ ...env, demo: true }, open.services, print));
    return ["Done.", ...logins].join("\n");
  } finally {
    await open.close();
  }
}

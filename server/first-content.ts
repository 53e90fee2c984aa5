import type { Parts } from "./context.ts";
import type { Env } from "./env.ts";
import type { Say } from "./parts.ts";

/** Demo accounts are printed and well known: they exist only where nobody else can reach them. */
const DEMO_PASSWORD = "read-write-repeat";

/**
 * Fills a blog without accounts: the admin of the environment first, then demo content where it is wanted.
 * @returns lines that tell a newcomer how to sign in
 */
export async function fillEmptyBlog(env: Env, parts: Parts, say: Say): Promise<string[]> {
  const { createAdmin } = await import("./domain/accounts.ts");
  const isEmpty = (await parts.db.user.count()) === 0;
  if (env.ADMIN_EMAIL && env.ADMIN_PASSWORD)
    await createAdmin(parts, { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD });
  if (!env.demo) return [];
  const { seedDemo, demoLogins } = await import("../prisma/seed.ts");
  const logins = { withAdmin: !env.ADMIN_EMAIL, usable: env.loopback, password: DEMO_PASSWORD };
  if (isEmpty) await seedDemo(parts, logins, say);
  return env.loopback ? demoLogins(parts, logins) : [];
}

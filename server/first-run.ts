import type { Services } from "./domain/context.ts";
import { createAdmin } from "./domain/accounts/accounts.ts";
import { DEMO_PASSWORD } from "./domain/accounts/common-passwords.ts";
import { fillConfusableKeys } from "./domain/accounts/names.ts";
import { renderPending } from "./domain/posts/post-html.ts";
import { indexPending } from "./domain/searching/search-index.ts";
import { relatePending } from "./domain/posts/related-posts.ts";
import type { Env } from "./env.ts";
import { BlogError } from "./errors.ts";
import type { Progress } from "./services.ts";
import { StartError } from "./start-error.ts";

/** Creates the configured admin, then demo content. @returns lines about demo logins @throws StartError */
export async function fillEmptyBlog(env: Env, services: Services, progress: Progress): Promise<string[]> {
  if (env.ADMIN_EMAIL && env.ADMIN_PASSWORD)
    await createAdmin(services, { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }).catch(
      (error: unknown) => {
        if (!(error instanceof BlogError)) throw error;
        throw new StartError(`ADMIN_EMAIL or ADMIN_PASSWORD cannot be used: ${error.message}.`);
      },
    );
  await fillConfusableKeys(services);
  const { closeDemoLogins, demoLogins, seedDemo } = await import("./demo/seed.ts");
  const logins = { withAdmin: !env.ADMIN_EMAIL, usable: env.demoLogins, password: DEMO_PASSWORD };
  if (!env.demoLogins) await closeDemoLogins(services, logins);
  if (env.demo && (await isEmpty(services))) {
    await seedDemo(services, logins, progress);
    while (await renderPending(services));
    while (await indexPending(services));
    while (await relatePending(services));
  }
  return env.demoLogins ? demoLogins(services, logins) : [];
}

/** Ignores an admin, so that an interrupted first run starts again. */
async function isEmpty({ db }: Services): Promise<boolean> {
  return (await db.user.count({ where: { isAdmin: false } })) === 0 && (await db.post.count()) === 0;
}

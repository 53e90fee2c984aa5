import { join } from "node:path";
import { withAdvisoryLock } from "../data/advisory-locks.ts";
import { commandName, type Env } from "../env.ts";
import { adoptFolder } from "../media/folder-owner.ts";
import { StartError } from "../start-error.ts";
import { withDatabaseUrl } from "./with-database-url.ts";

export async function adoptMedia(env: Env, [verb]: string[]): Promise<string> {
  if (verb !== "adopt") throw new StartError(`Usage: ${commandName()} media adopt`);
  const folder = join(env.DATA_DIR, "media");
  await withDatabaseUrl(env, (url) =>
    withAdvisoryLock(url, "migrations", (client) => adoptFolder(client, folder)),
  );
  return `${folder} is the folder with the pictures of this database now.`;
}

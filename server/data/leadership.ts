import type pg from "pg";
import type { CacheTag } from "../domain/ports.ts";
import { tryAdvisoryLock } from "./advisory-locks.ts";

export type Listener = (tags: readonly CacheTag[]) => void;

/** Milliseconds without a ping, one of which is sent each second, after which another process may take the lock. */
const MAX_SILENCE = 5_000;

/** Passes notifications on in one of all processes only: the one whose listening connection holds a lock. */
export function openLeadership(tagsOf: (message: pg.Notification) => CacheTag[]) {
  let leader: Listener | null = null;
  let holder: pg.Client | null = null;
  return {
    lead: (listener: Listener) => void (leader = listener),

    async ping(client: pg.Client): Promise<void> {
      if (!leader || client === holder) return void (await client.query("SELECT 1"));
      if (!(await tryAdvisoryLock(client, "purges", MAX_SILENCE))) return;
      holder = client;
      client.on("notification", (message) => leader?.(tagsOf(message)));
      // Notifications that arrived before are unknown here.
      leader(["*"]);
    },
  };
}

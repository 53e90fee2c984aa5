import type pg from "pg";
import { withAdvisoryLock } from "../data/advisory-locks.ts";
import { commandName, type Env } from "../env.ts";
import { copyPictures, removeCopied, type Move } from "../media/move.ts";
import { adoptStore } from "../data/picture-store-owner.ts";
import type { PictureFiles } from "../media/picture-files.ts";
import type { Progress } from "../services.ts";
import { StartError } from "../start-error.ts";
import { throttleProgress } from "./throttle-progress.ts";
import { withDatabaseUrl } from "./with-database-url.ts";
import { withStores } from "./with-stores.ts";

export function runMedia(env: Env, [verb, ...flags]: string[], progress: Progress): Promise<string> {
  if (verb === "adopt" && flags.length === 0)
    return withStores(env, async ({ each: [store] }) => (store ? adopt(env, store) : ""));
  if (verb === "move" && flags.every((flag) => flag === "--remove"))
    return moveMedia(env, flags.length > 0, progress);
  throw new StartError(`Usage: ${commandName()} media adopt, or: ${commandName()} media move [--remove]`);
}

async function adopt(env: Env, store: PictureFiles): Promise<string> {
  await withDatabaseUrl(env, (url) =>
    withAdvisoryLock(url, "migrations", (client) => adoptStore(client, store)),
  );
  return `${store.name} is the ${store.kind} with the pictures of this database now.`;
}

/** Repeats until nothing is left: the blog may write pictures meanwhile. */
const ROUNDS = 5;

function moveMedia(env: Env, removes: boolean, progress: Progress): Promise<string> {
  return withStores(env, async ({ each: [to, from] }) => {
    if (!to || !from)
      throw new StartError(
        "MEDIA_PREVIOUS_URL is not set: it is the store that the pictures move from, and MEDIA_URL the one they move to.",
      );
    return withDatabaseUrl(env, (url) =>
      withAdvisoryLock(url, "media move", async (client) => {
        const report = throttleProgress(progress, removes ? "removed" : "copied", "pictures");
        const move = { from, to, report, findExisting: existingFinder(client) };
        return removes ? remove(move) : copy(env, move);
      }),
    );
  });
}

const existingFinder = (client: pg.Client) => async (ids: string[]) => {
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM "Picture" WHERE id = ANY($1::uuid[])`, [
    ids,
  ]);
  return rows.map(({ id }) => id);
};

async function copy(env: Env, move: Move): Promise<string> {
  const { from, to } = move;
  let [total, damaged] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const result = await copyPictures(move);
    total += result.copied;
    damaged = result.damaged;
    if (result.copied === 0) break;
  }
  await adopt(env, to);
  const lost = damaged > 0 ? ` ${damaged} pictures have no files in ${from.name}.` : "";
  return [
    `Copied ${total} pictures from ${from.name} to ${to.name}, which has all of this database now.${lost}`,
    `Remove MEDIA_PREVIOUS_URL and restart. Later ${commandName()} media move --remove, with MEDIA_PREVIOUS_URL, deletes them from ${from.name}.`,
  ].join("\n");
}

async function remove(move: Move): Promise<string> {
  const { removed, skipped } = await removeCopied(move);
  const rest = skipped > 0 ? ` ${skipped} stay: run ${commandName()} media move first.` : "";
  return `Removed ${removed} pictures from ${move.from.name}, each after a comparison with ${move.to.name}.${rest}`;
}

import { z } from "zod";
import { badField, isTemporary, toBlogError } from "../../errors.ts";
import type { Ctx, Services } from "../context.ts";
import { parseInput, parseTime } from "../input.ts";
import { asViewer, requireSessionUntilCommit } from "../permissions.ts";
import { limitWrites } from "../write-limits.ts";
import { draftConflict, requireDraft, type Draft } from "./drafts.ts";
import { parseDraft, publish } from "./publishing.ts";

const schedule = z.strictObject({ publishAt: z.date().nullish() });

/**
 * Sets the time at which a job publishes a draft; null unschedules it.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT for a past time, and as a post, NOT_FOUND, RATE_LIMITED, CONFLICT with the
 * present draft for another version
 */
export function scheduleDraft(
  ctx: Ctx,
  { id, version }: { id: string; version: number },
  fields: unknown,
): Promise<Draft> {
  return asViewer(ctx, async (viewer) => {
    const draft = await requireDraft(ctx, id);
    const { publishAt = null } = parseInput(schedule, fields);
    if (publishAt) {
      const message = '"publishAt" must be in the future';
      if (parseTime("publishAt", publishAt) <= ctx.now()) throw badField("publishAt", message);
      // Refuses now what would fail later, unattended.
      await parseDraft(ctx, draft);
    }
    // Counted now: the job that publishes it counts nothing.
    return limitWrites(ctx, publishAt ? "posts" : "drafts", async () => {
      const [scheduled] = await ctx.db.$transaction(async (tx) => {
        await requireSessionUntilCommit(ctx, tx, viewer);
        return tx.draft.updateManyAndReturn({
          where: { id: draft.id, userId: viewer.id, version },
          data: { publishAt, publishError: null, version: { increment: 1 } },
        });
      });
      if (scheduled) return scheduled;
      const current = await requireDraft(ctx, id);
      if (current.publishAt?.getTime() === publishAt?.getTime() && !current.publishError) return current;
      throw draftConflict(current);
    });
  });
}

const BATCH = 20;

/**
 * Publishes the drafts whose time has come. Several processes may run it at once: each draft is published by one of
 * them. A draft that cannot be published loses its time and gets the reason.
 * @returns the number of drafts that were due
 */
export async function publishDueDrafts(services: Services, isStopped = () => false): Promise<number> {
  const due = await services.queries.dueDrafts(services.now(), BATCH);
  // One at a time: requests do not wait for scheduled drafts.
  for (const draft of due) if (!isStopped()) await publishDue(services, draft);
  return due.length;
}

async function publishDue(services: Services, draft: Draft): Promise<void> {
  try {
    await publish(services, draft);
  } catch (error) {
    if (isTemporary(error)) throw error;
    await services.db.draft.updateMany({
      where: { id: draft.id, version: draft.version },
      data: { publishAt: null, publishError: toBlogError(error).message.slice(0, 500) },
    });
  }
}

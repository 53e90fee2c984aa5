import type { Services } from "../domain/context.ts";
import type { Deliver } from "../mail/transports.ts";

/** Seconds until the next try: quick at first, then every five minutes, for about a week. */
const MAX_WAIT = 300;
const MAX_ATTEMPTS = 2_000;

export type Log = { warn: (line: object, message: string) => void };

/**
 * Delivers a letter once. What the mail server does not take is tried again later by a job of its own,
 * because the worker's own pauses soon grow to hours.
 */
export async function deliverLetter(
  { db, mail }: Services,
  deliver: Deliver,
  id: string,
  log?: Log,
): Promise<void> {
  const letter = await db.letter.findFirst({ where: { id, sentAt: null } });
  if (!letter) return;
  try {
    await deliver(letter);
    // What has travelled holds no link any more.
    const rest = mail.isLocalOutbox ? {} : { text: "", html: "" };
    await db.letter.update({
      where: { id },
      data: { sentAt: new Date(), attempts: { increment: 1 }, lastError: null, ...rest },
    });
  } catch (error) {
    const attempt = letter.attempts + 1;
    log?.warn({ letter: id, kind: letter.kind, attempt, code: codeOf(error) }, "a letter was not taken");
    await postpone(db, id, attempt, (error as Error).message);
  }
}

/** The mail server's own number, or what the line to it said. Its words may repeat the address: they stay in the row. */
const codeOf = (error: unknown) => {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return responseCode ?? code ?? "unknown";
};

async function postpone(db: Services["db"], id: string, attempts: number, reason: string): Promise<void> {
  await db.letter.update({ where: { id }, data: { attempts, lastError: reason.slice(0, 500) } });
  if (attempts >= MAX_ATTEMPTS) return;
  const wait = Math.min(2 ** Math.min(attempts - 1, 10), MAX_WAIT);
  await db.$executeRaw`
    SELECT graphile_worker.add_job('deliver_letter', json_build_object('id', ${id}::text),
      run_at := now() + ${wait}::int * interval '1 second', job_key := 'letter ' || ${id})`;
}

/** Takes up letters whose job was lost with its process: killed, or stopped in the midst of a delivery. */
export const resumeLetters = (db: Services["db"]) => db.$executeRaw`
  SELECT graphile_worker.add_job('deliver_letter', json_build_object('id', id::text), job_key := 'letter ' || id)
  FROM "Letter" WHERE "sentAt" IS NULL AND attempts < ${MAX_ATTEMPTS} AND NOT EXISTS (
    SELECT FROM graphile_worker.jobs WHERE key = 'letter ' || "Letter".id AND jobs.attempts < jobs.max_attempts
    AND (locked_at IS NULL OR locked_at > now() - interval '5 minutes'))`;

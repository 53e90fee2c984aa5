import { addDeliveryRetry, addMissingDeliveries } from "../data/writes/jobs.ts";
import type { Services } from "../domain/context.ts";
import type { Deliver } from "../mail/transports.ts";

/** Seconds until the next try: quick at first, then every fifteen minutes, for about a week. */
const MAX_WAIT = 900;
const MAX_ATTEMPTS = 700;
/** Tries of a letter whose recipient or content the mail server refuses for good. */
const MAX_REFUSALS = 3;

const HOUR = 60 * 60 * 1_000;
/** When the link in a letter is dead, and the letter of no use any more: milliseconds from its writing. */
const lifetimes = new Map([
  ["verify", 24 * HOUR],
  ["reset", HOUR],
]);

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
    const isOver =
      (isRefusal(error) && attempt >= MAX_REFUSALS) || isExpired(letter) || attempt >= MAX_ATTEMPTS;
    await (isOver ? giveUp : postpone)(db, id, attempt, (error as Error).message);
  }
}

/** The server will never take this letter: what concerns the connection or the login may pass. */
function isRefusal(error: unknown): boolean {
  const { responseCode = 0, command = "" } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && responseCode < 600 && /^(RCPT TO|DATA)/.test(command);
}

const isExpired = ({ kind, createdAt }: { kind: string; createdAt: Date }) =>
  Date.now() - createdAt.getTime() > (lifetimes.get(kind) ?? Infinity);

/** Its row stays, for whoever looks why it was not delivered; the link in it goes. */
const giveUp = (db: Services["db"], id: string, _attempts: number, reason: string) =>
  db.letter.update({
    where: { id },
    data: { attempts: MAX_ATTEMPTS, lastError: reason.slice(0, 500), text: "", html: "" },
  });

/** The mail server's own number, or what the line to it said. Its words may repeat the address: they stay in the row. */
const codeOf = (error: unknown) => {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return responseCode ?? code ?? "unknown";
};

async function postpone(db: Services["db"], id: string, attempts: number, reason: string): Promise<void> {
  await db.letter.update({ where: { id }, data: { attempts, lastError: reason.slice(0, 500) } });
  const wait = Math.min(2 ** Math.min(attempts - 1, 10), MAX_WAIT);
  await addDeliveryRetry(db, id, wait);
}

/** Takes up letters whose job was lost with its process: killed, or stopped in the midst of a delivery. */
export const resumeLetters = (db: Services["db"]) => addMissingDeliveries(db, MAX_ATTEMPTS);

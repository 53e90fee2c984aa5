import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { addDelivery, addMissingDeliveries, domainOf, NO_EMAIL } from "../data/writes/jobs.ts";
import { LINK_LIFETIMES } from "../domain/accounts/email-tokens.ts";
import type { Services } from "../domain/context.ts";
import type { Deliver } from "../mail/transports.ts";

/** Seconds between attempts, at most for `refused` and `unreachable`. A mail server with a wrong setting refuses permanently, so that is repeated, too. */
const WAITS = { refused: 900, unreachable: 60, permanent: 300 };
const WEEK = 7 * 24 * 60 * 60 * 1000;
export const MAX_ATTEMPTS = 700;
const MAX_UNREACHABLE_ATTEMPTS = 20;
const MAX_PERMANENT_REFUSALS = 3;

/** Milliseconds until the link in an email expires, and with it the email. */
const lifetimes = new Map([
  ["verify", LINK_LIFETIMES.VERIFY],
  ["reset", LINK_LIFETIMES.RESET],
]);

/** Links must not stay in the database once they are delivered or of no use. */
const withoutLink = { text: "", html: "" };

export type Log = { warn: (line: object, message: string) => void };

type Delivery = { id: string; log?: Log | undefined; signal?: AbortSignal | undefined };

/** Retries a refused email by a job of its own, because the worker's backoff soon grows to hours. After a stop the next start does. */
export async function deliverEmail(
  { db, mail }: Services,
  deliver: Deliver,
  { id, log, signal }: Delivery,
): Promise<void> {
  const email = await db.email.findFirst({ where: { id, sentAt: null } });
  if (!email) return;
  const began = performance.now();
  try {
    await deliver(email, signal);
    recordDuration(domainOf(email.recipient), performance.now() - began);
    const rest = mail.isLocalOutbox ? {} : withoutLink;
    await db.email.update({
      where: { id },
      data: { sentAt: new Date(), attempts: { increment: 1 }, lastError: null, ...rest },
    });
  } catch (error) {
    if (signal?.aborted) return;
    const isAway = isUnreachable(error);
    const attempt =
      isAway && email.attempts >= MAX_UNREACHABLE_ATTEMPTS ? email.attempts : email.attempts + 1;
    log?.warn({ emailId: id, kind: email.kind, attempt, code: codeOf(error) }, "an email was not accepted");
    const isPermanent = isPermanentRefusal(error);
    const isOver =
      (isPermanent && attempt >= MAX_PERMANENT_REFUSALS) || isExpired(email) || attempt >= MAX_ATTEMPTS;
    const lastError = (error as Error).message.replaceAll("\0", "").slice(0, 500);
    const data = isOver ? { attempts: MAX_ATTEMPTS, ...withoutLink } : { attempts: attempt };
    // The row stays in either case, so that operators see the reason.
    await db.email.update({ where: { id }, data: { ...data, lastError } });
    const longest = isAway ? WAITS.unreachable : WAITS.refused;
    const backoff = Math.min(2 ** Math.min(email.attempts, 10), longest);
    if (!isOver) await addDelivery(db, id, isPermanent ? WAITS.permanent : backoff);
  }
}

/** Milliseconds of the latest deliveries to a domain. */
const recent = new LRUCache<string, number[]>({ max: 1_000 });
const [RECENT, USUAL] = [5, 300];

const recordDuration = (domain: string, duration: number) =>
  recent.set(domain, [duration, ...(recent.get(domain) ?? [])].slice(0, RECENT));

/** Of the domain with the quickest deliveries, since a visitor may have emails sent to slow ones. */
function quickest(): number {
  const medians = [...recent.values()].map(medianOf);
  return medians.length > 0 ? Math.min(...medians) : USUAL;
}

const medianOf = (durations: number[]) => durations.toSorted((a, b) => a - b)[durations.length >> 1] ?? USUAL;

type Simulation = { domain: string; signal?: AbortSignal | undefined };

/** Takes the time and the work of an email to the domain, so that neither emails nor requests reveal by theirs who has an account. */
export async function simulateDelivery(
  { db }: Pick<Services, "db">,
  deliver: Deliver,
  { domain, signal }: Simulation,
): Promise<void> {
  const where = { id: NO_EMAIL };
  await db.email.findFirst({ where: { ...where, sentAt: null } });
  const began = performance.now();
  const durations = recent.get(domain) ?? [quickest()];
  const duration = durations[randomInt(durations.length)] ?? USUAL;
  await deliver.simulate?.(signal).catch(() => undefined);
  const rest = Math.max(0, began + duration - performance.now());
  await setTimeout(rest, undefined, { signal }).catch(() => undefined);
  await db.email.updateMany({ where, data: { sentAt: new Date(), lastError: null, ...withoutLink } });
}

/** A permanent refusal of this email. Errors of the connection or login may pass. */
function isPermanentRefusal(error: unknown): boolean {
  const { responseCode = 0, command = "" } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && responseCode < 600 && /^(RCPT TO|DATA)/.test(command);
}

/** 421 at any step: the mail server closes the connection (RFC 5321, 3.8). */
const isUnreachable = (error: unknown) => {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  return responseCode === undefined || responseCode === 421 || command === "CONN";
};

const isExpired = ({ kind, createdAt }: { kind: string; createdAt: Date }) =>
  Date.now() - createdAt.getTime() > (lifetimes.get(kind) ?? WEEK);

/** SMTP status or connection error. The message may contain the recipient's address and must not be logged. */
const codeOf = (error: unknown) => {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return responseCode ?? code ?? "unknown";
};

/** Re-adds jobs of unsent emails that were lost with their process. */
export const resumeDeliveries = (db: Services["db"]) => addMissingDeliveries(db, MAX_ATTEMPTS);

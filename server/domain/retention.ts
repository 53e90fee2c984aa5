import { repeatInBatches } from "../batches.ts";
import type { Services } from "./context.ts";
import { IDEMPOTENCY_KEY_LIFETIME } from "./idempotency.ts";
import { ABSOLUTE_LIMIT, IDLE_LIMIT } from "./accounts/sessions.ts";

/** Milliseconds for which an email stays in the outbox that was delivered, or given up after a week. */
const EMAIL_RETENTION = 30 * 24 * 60 * 60 * 1000;

/** For which clients can learn of a deletion. */
export const DELETION_RETENTION_DAYS = 90;

/** A day more, so that a client that reads page by page misses none. */
const DELETION_RETENTION = (DELETION_RETENTION_DAYS + 1) * 24 * 60 * 60 * 1000;

const BATCH = 10_000;
const KEYS = 100;

/** Deletes expired sessions, email tokens, notes of deletions, idempotency keys and rate-limit counters, and emails that were delivered or given up long ago. */
export async function removeExpired({ db, now }: Pick<Services, "db" | "now">, limit = BATCH): Promise<void> {
  const time = now();
  const before = (age: number) => ({ lt: new Date(time.getTime() - age) });
  const idle = { OR: [{ lastSeenAt: before(IDLE_LIMIT) }, { createdAt: before(ABSOLUTE_LIMIT) }] };
  const age = before(EMAIL_RETENTION);
  const ended = { OR: [{ sentAt: age }, { sentAt: null, createdAt: age }] };
  const removals: [number, (limit: number) => Promise<{ count: number }>][] = [
    [limit, (limit) => db.session.deleteMany({ where: idle, limit })],
    [limit, (limit) => db.mailToken.deleteMany({ where: { expiresAt: { lt: time } }, limit })],
    [limit, (limit) => db.email.deleteMany({ where: ended, limit })],
    [limit, (limit) => db.deletion.deleteMany({ where: { deletedAt: before(DELETION_RETENTION) }, limit })],
    [limit, (limit) => db.throttle.deleteMany({ where: { resetsAt: { lt: time } }, limit })],
    [
      KEYS,
      (limit) =>
        db.idempotencyKey.deleteMany({ where: { createdAt: before(IDEMPOTENCY_KEY_LIFETIME) }, limit }),
    ],
  ];
  for (const [limit, remove] of removals)
    await repeatInBatches(limit, async () => (await remove(limit)).count);
}

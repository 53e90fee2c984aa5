import type { Db, Tx } from "../../domain/ports.ts";
import { Prisma } from "../../generated/prisma/client.ts";

/** Jobs with a lower number run first: the duration of one's own email must not reveal those of another recipient. */
const RETRY_PRIORITY = 10;
const keyOfNone = (recipient: Prisma.Sql) =>
  Prisma.sql`'no letter ' || encode(sha256(convert_to(${recipient}, 'UTF8')), 'hex') || ' '`;
/** How many deliveries to a recipient wait, with emails or without. */
const priorityOf = (recipient: Prisma.Sql, without = Prisma.empty) => Prisma.sql`(SELECT count(*) FROM (
  SELECT FROM "Letter" older WHERE older.recipient = ${recipient} AND older."sentAt" IS NULL ${without} UNION ALL
  SELECT FROM graphile_worker.jobs WHERE starts_with(key, ${keyOfNone(recipient)}) LIMIT ${RETRY_PRIORITY - 1}) unsent)::int`;
const PRIORITY = priorityOf(Prisma.sql`email.recipient`, Prisma.sql`AND older.id < email.id`);

/** Two emails at a time, which leaves workers to other jobs: a mail server may take minutes for each. */
const EMAIL_QUEUE = Prisma.sql`'emails ' || (hashtext(id::text) & 1)`;

/**
 * Adds the delivery job of an email: in the transaction that writes it, so that neither exists without the other.
 * @param retryAfter seconds until another attempt, which runs after new emails
 */
export async function addDelivery(tx: Tx, emailId: string, retryAfter = 0): Promise<void> {
  const priority = retryAfter > 0 ? Prisma.sql`${RETRY_PRIORITY}::int` : PRIORITY;
  await tx.$executeRaw`
    SELECT graphile_worker.add_job('deliver_letter', json_build_object('id', id::text), queue_name := ${EMAIL_QUEUE},
      run_at := now() + ${retryAfter}::int * interval '1 second', job_key := 'letter ' || id,
      priority := ${priority})
    FROM "Letter" email WHERE id = ${emailId}::uuid`;
}

export const NO_EMAIL = "00000000-0000-0000-0000-000000000000";

export const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

async function addSimulatedDelivery(tx: Tx, recipient: string): Promise<void> {
  const to = Prisma.sql`${recipient}::text`;
  const payload = Prisma.sql`json_build_object('id', ${NO_EMAIL}::text, 'domain', ${domainOf(recipient)}::text)`;
  await tx.$executeRaw`
    SELECT graphile_worker.add_job('deliver_letter', ${payload}, queue_name := 'emails ' || (random() < 0.5)::int,
      job_key := ${keyOfNone(to)} || gen_random_uuid(), priority := ${priorityOf(to)})`;
}

export const deliveries = { add: addDelivery, simulate: addSimulatedDelivery };

/** Adds the job of `specs.complete_pictures` (jobs/worker.ts), unless one waits. */
export const addPictureCompletion = (db: Db): Promise<number> => db.$executeRaw`
  SELECT graphile_worker.add_job('complete_pictures', job_key := 'complete_pictures',
    queue_name := 'complete_pictures', max_attempts := 1)`;

/** Adds jobs for unsent emails without one, whose process was killed, or whose next attempt a wrong clock has postponed. */
export const addMissingDeliveries = (db: Db, maxAttempts: number): Promise<number> => db.$executeRaw`
  SELECT graphile_worker.add_job('deliver_letter', json_build_object('id', id::text),
    queue_name := ${EMAIL_QUEUE}, job_key := 'letter ' || id)
  FROM "Letter" WHERE "sentAt" IS NULL AND attempts < ${maxAttempts} AND NOT EXISTS (
    SELECT FROM graphile_worker.jobs WHERE key = 'letter ' || "Letter".id AND jobs.attempts < jobs.max_attempts
    AND run_at < now() + interval '1 hour'
    AND (locked_at IS NULL OR locked_at > now() - interval '5 minutes'))`;

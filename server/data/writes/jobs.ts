import type { Db, Tx } from "../../domain/ports.ts";

const RETRY_PRIORITY = 10;

/** Adds the delivery job in the transaction that writes the email, so that neither exists without the other. */
export const addDelivery = async (tx: Tx, emailId: string): Promise<void> => {
  await tx.$executeRaw`
    SELECT graphile_worker.add_job('deliver_letter', json_build_object('id', ${emailId}::text),
      job_key := 'letter ' || ${emailId})`;
};

export const addDeliveryRetry = async (db: Db, emailId: string, seconds: number): Promise<void> => {
  await db.$executeRaw`
    SELECT graphile_worker.add_job('deliver_letter', json_build_object('id', ${emailId}::text),
      run_at := now() + ${seconds}::int * interval '1 second', job_key := 'letter ' || ${emailId},
      priority := ${RETRY_PRIORITY})`;
};

/** Adds jobs for unsent emails without one, whose process was killed or stopped during the delivery. */
export const addMissingDeliveries = (db: Db, maxAttempts: number): Promise<number> => db.$executeRaw`
  SELECT graphile_worker.add_job('deliver_letter', json_build_object('id', id::text), job_key := 'letter ' || id)
  FROM "Letter" WHERE "sentAt" IS NULL AND attempts < ${maxAttempts} AND NOT EXISTS (
    SELECT FROM graphile_worker.jobs WHERE key = 'letter ' || "Letter".id AND jobs.attempts < jobs.max_attempts
    AND (locked_at IS NULL OR locked_at > now() - interval '5 minutes'))`;

import { createHash } from "node:crypto";
import type { Ctx, Services } from "../context.ts";
import { hashPassword } from "./passwords.ts";
import type { Tx } from "../ports.ts";

// Registrations with an address that has an account already. Whoever makes one is told what everybody is told, and
// its name and password behave as those of an account that is not verified yet.

/** As long as an account may stay unverified. */
export const PENDING_LIFETIME = 7 * 24 * 60 * 60 * 1000;

/**
 * Hashes the password of a registration. The salt follows from the address, so that signing in compares with all
 * registrations of it by computing one hash, and two at once have the same.
 */
export const hashForRegistration = (email: string, password: string): Promise<string> =>
  hashPassword(password, saltFor(email));

const saltFor = (email: string) =>
  createHash("sha256").update(`registration of ${email}`).digest().subarray(0, 16);

type Registration = {
  username: string;
  usernameKey: string;
  confusableKey: string;
  email: string;
  passwordHash: string;
};

export const addPending = (ctx: Ctx, tx: Tx, registration: Registration) =>
  tx.pendingRegistration.create({ data: { ...registration, createdAt: ctx.now() } });

/** Whether a password is that of a pending registration; takes the time of one hash in any case. */
export async function isPendingPassword(ctx: Ctx, email: string, password: string): Promise<boolean> {
  const passwordHash = await hashForRegistration(email, password);
  // Until the job removes it, as it removes accounts that stayed unverified: no clock tells one from the other.
  return (await ctx.db.pendingRegistration.count({ where: { email, passwordHash } })) > 0;
}

/** Their names are free again. */
export async function removeStalePending({ db, now }: Services): Promise<void> {
  const createdAt = { lt: new Date(now().getTime() - PENDING_LIFETIME) };
  await db.pendingRegistration.deleteMany({ where: { createdAt } });
}

import { createHash } from "node:crypto";
import type { Ctx } from "../context.ts";
import { hashPassword } from "./passwords.ts";
import type { Tx } from "../ports.ts";

// Pending registrations: those with the address of an existing account. To prevent account enumeration, responses are
// the same, and name and password behave as those of an unverified account.

export const PENDING_LIFETIME = 7 * 24 * 60 * 60 * 1000;

/** Derives the salt from the address, so that a sign-in checks all registrations of an address with one hash. */
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

export const addPendingRegistration = (ctx: Ctx, tx: Tx, registration: Registration) =>
  tx.pendingRegistration.create({ data: { ...registration, createdAt: ctx.now() } });

/** @param passwordHash by `hashForRegistration` */
export async function isPendingPassword(ctx: Ctx, email: string, passwordHash: string): Promise<boolean> {
  // No check of the age: the job deletes stale rows together with unverified accounts, so both end alike.
  return (await ctx.db.pendingRegistration.count({ where: { email, passwordHash } })) > 0;
}

export const endPendingPasswords = (tx: Tx, email: string) =>
  tx.pendingRegistration.updateMany({ where: { email }, data: { passwordHash: "none" } });

import type { Ctx, Parts, Tx } from "../context.ts";
import { hashPassword, newSalt, saltOf } from "./passwords.ts";

// Registrations with an address that has an account already. Whoever makes one is told what everybody is told, and
// its name and password behave as those of an account that is not verified yet.

/** As long as an account may stay unverified. */
export const PENDING_LIFETIME = 7 * 24 * 60 * 60 * 1000;

const wherePending = (ctx: Pick<Ctx, "now">, email: string) => ({
  email,
  createdAt: { gt: new Date(ctx.now().getTime() - PENDING_LIFETIME) },
});

/**
 * Hashes the password of a registration. All pending registrations of an address have one salt, so that signing in
 * compares with all of them by computing one hash.
 */
export async function hashForRegistration(ctx: Ctx, email: string, password: string): Promise<string> {
  const other = await ctx.db.pendingRegistration.findFirst({ where: wherePending(ctx, email) });
  return hashPassword(password, other ? saltOf(other.passwordHash) : newSalt());
}

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
  const rows = await ctx.db.pendingRegistration.findMany({ where: wherePending(ctx, email), take: 100 });
  const salt = rows[0] ? saltOf(rows[0].passwordHash) : newSalt();
  const passwordHash = await hashPassword(password, salt);
  return rows.some((row) => row.passwordHash === passwordHash);
}

/** Their names are free again. */
export async function removeStalePending({ db, now }: Parts): Promise<void> {
  const createdAt = { lt: new Date(now().getTime() - PENDING_LIFETIME) };
  await db.pendingRegistration.deleteMany({ where: { createdAt } });
}

import { randomInt } from "node:crypto";
import { z } from "zod";
import { withUnqueuedDb, type Ctx, type Services } from "../context.ts";
import { BlogError } from "../../errors.ts";
import { LENGTHS } from "../../limits.ts";
import { repeatInBatches } from "../../batches.ts";
import { parseInput, text } from "../input.ts";
import {
  issueToken,
  queueLinks,
  refuseInvalidLink,
  removeExpiredTokens,
  requireVerifyLink,
} from "./email-tokens.ts";
import { browserName } from "./browser-name.ts";
import { claimName, username } from "./names.ts";
import { withMinimumDuration } from "./minimum-duration.ts";
import { withHashingPermit, hashPassword, newPassword, refuseNameAsPassword } from "./passwords.ts";
import { addPendingRegistration, hashForRegistration, PENDING_LIFETIME } from "./registrations.ts";
import { recordEvent } from "./security-events.ts";
import { countEmail, consumeOrThrow, rateLimits, rulesOfCaller } from "./rate-limits.ts";
import type { Tx } from "../ports.ts";

/** Small: a registration of an unverified address waits for the batch that deletes it, and nobody may notice. */
const BATCH = 20;

/** The same message whether or not an email is sent, so that it does not reveal who has an account. */
export const VERIFY_MESSAGE = "We sent to you an email, please verify your email address";

export const email = text(...LENGTHS.email)
  .check(z.email())
  .toLowerCase()
  .meta({ examples: ["maya@example.com"] });

export const registerInput = z.strictObject({ username, email, password: newPassword });
type Registration = z.output<typeof registerInput>;

/**
 * Creates an unverified account and sends its verification link. If the address has an account, its owner gets an
 * email and the response stays the same, to prevent account enumeration.
 * @throws BAD_USER_INPUT, CONFLICT `username already exist`, RATE_LIMITED
 */
export async function register(ctx: Ctx, fields: unknown): Promise<{ message: string }> {
  const input = parseInput(registerInput, fields);
  refuseNameAsPassword(input.password, input);
  for (const rule of rulesOfCaller(ctx, rateLimits.registrations)) await consumeOrThrow(ctx, rule);
  // Always compute both hashes: the duration must not reveal whether the account exists.
  const [passwordHash, pendingHash] = await withHashingPermit(ctx, () =>
    Promise.all([hashPassword(input.password), hashForRegistration(input.email, input.password)]),
  );
  const maySend = await countEmail(ctx, "verify", input.email);
  const account = { ...input, passwordHash, pendingHash };
  await withMinimumDuration(() => ctx.db.$transaction((tx) => openAccount(ctx, tx, account, maySend)));
  recordEvent(ctx, { event: "register", outcome: "success" });
  return { message: VERIFY_MESSAGE };
}

async function openAccount(
  ctx: Ctx,
  tx: Tx,
  {
    username: name,
    email: address,
    passwordHash,
    pendingHash,
  }: Registration & { passwordHash: string; pendingHash: string },
  maySend: boolean,
): Promise<void> {
  await ctx.locks.lockKey(tx, `register ${address}`);
  const account = { username: name, ...(await claimName(ctx, tx, name)), email: address };
  const owner = await tx.user.findUnique({ where: { email: address } });
  if (owner) {
    await addPendingRegistration(ctx, tx, { ...account, passwordHash: pendingHash });
    await removeExpiredTokens(ctx, tx, owner.id);
    if (maySend) await ctx.mail.write(tx, "accountExists", address, { username: owner.username });
    return;
  }
  const user = await tx.user.create({ data: { ...account, passwordHash, createdAt: ctx.now() } });
  const token = await issueToken(ctx, tx, "VERIFY", user.id);
  if (maySend && token) await writeVerifyEmail(ctx, tx, user, token);
}

/** Includes time and browser, since someone else may have used the owner's address. */
const writeVerifyEmail = (ctx: Ctx, tx: Tx, user: Unverified, token: string) =>
  ctx.mail.write(tx, "verify", user.email, {
    username: user.username,
    link: verifyPath(user.id, token),
    at: ctx.now(),
    browser: browserName(ctx.userAgent),
  });

type Unverified = { id: string; username: string; email: string };

const verifyPath = (userId: string, token: string) => `/users/${userId}/verify/${token}`;

/** Sends a new link to an unverified account. The caller must apply the rate limit (`countEmail`). */
export async function sendVerifyLink(ctx: Ctx, user: Unverified): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const token = await issueToken(ctx, tx, "VERIFY", user.id);
    if (token) await writeVerifyEmail(ctx, tx, user, token);
  });
}

/** @throws BAD_USER_INPUT `invalid link`, UNAVAILABLE */
export async function verifyEmail(ctx: Ctx, userId: string, token: string): Promise<{ message: string }> {
  const verified = await queueLinks(async () => {
    await refuseInvalidLink(withUnqueuedDb(ctx), "VERIFY", { userId, token });
    return ctx.unqueuedDb.$transaction(async (tx) => {
      await requireVerifyLink(ctx, tx, { userId, token });
      const data = { verifiedAt: ctx.now() };
      return tx.user.updateMany({ where: { id: userId, verifiedAt: null }, data });
    });
  }, ctx.origin);
  if (verified.count > 0) ctx.invalidate(`user:${userId}`);
  recordEvent(ctx, { event: "verify-email", target: userId, outcome: "success" });
  return { message: "Your account verified" };
}

export const adminInput = z.strictObject({ email, password: newPassword });

/** Creates a verified admin. @returns false if the address has an account, which stays unchanged @throws BAD_USER_INPUT */
export async function createAdmin(
  services: Services,
  fields: { email: string; password: string },
): Promise<boolean> {
  const input = parseInput(adminInput, fields);
  const account = {
    email: input.email,
    passwordHash: await hashPassword(input.password),
    verifiedAt: services.now(),
  };
  // The public name must not reveal the address. If Admin is taken, a random number is added.
  for (const name of ["Admin", `Admin ${randomInt(1_000, 10_000)}`]) {
    const isNew = await services.db
      .$transaction(async (tx) => {
        // A stranger's unverified registration must not block the admin's address.
        await tx.user.deleteMany({ where: { email: account.email, verifiedAt: null } });
        const data = { ...account, username: name, ...(await claimName(services, tx, name)), isAdmin: true };
        return (await tx.user.createMany({ data, skipDuplicates: true })).count === 1;
      })
      .catch(mapTaken);
    if (isNew !== null) return isNew;
  }
  return false;
}

function mapTaken(error: unknown): null {
  if (error instanceof BlogError && error.code === "CONFLICT") return null;
  throw error;
}

/** Deletes unverified accounts after a week, and alike the registrations of addresses that have an account. @returns the number of accounts */
export async function removeUnverified({ db, now }: Services): Promise<number> {
  const expired = { lt: new Date(now().getTime() - PENDING_LIFETIME) };
  return repeatInBatches(BATCH, () =>
    db.$transaction(async (tx) => {
      const where = { verifiedAt: null, createdAt: expired };
      const page = { orderBy: { createdAt: "asc" }, take: BATCH, select: { createdAt: true } } as const;
      const batch = await tx.user.findMany({ where, ...page });
      const createdAt = batch.length < BATCH ? expired : { lte: batch.at(-1)?.createdAt };
      const { count } = await tx.user.deleteMany({ where: { verifiedAt: null, createdAt } });
      await tx.pendingRegistration.deleteMany({ where: { createdAt } });
      return count;
    }),
  );
}

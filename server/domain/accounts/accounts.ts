import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Ctx, Services } from "../context.ts";
import { BlogError } from "../../errors.ts";
import { parseInput, text } from "../input.ts";
import { findToken, refuseUnknownLink, requireVerifyLink } from "./email-tokens.ts";
import { claimName, username } from "./names.ts";
import { hashFor, hashPassword, newPassword, refuseOwnName } from "./passwords.ts";
import { addPending, hashForRegistration, PENDING_LIFETIME, removeStalePending } from "./registrations.ts";
import { recordEvent } from "./security-events.ts";
import { countLetter, consumeOrThrow, throttles } from "./rate-limits.ts";
import type { Tx } from "../ports.ts";

/** What is said wherever a letter with a verify link goes out, and, alike, where none does. */
export const VERIFY_MESSAGE = "We sent to you an email, please verify your email address";

/** Addresses are compared without case: they are kept in lower case. */
export const email = text(5, 100)
  .check(z.email())
  .toLowerCase()
  .meta({ examples: ["maya@example.com"] });

export const registerInput = z.strictObject({ username, email, password: newPassword });
type Registration = z.output<typeof registerInput>;

/**
 * Opens an unverified account and mails its verify link. An address that has one already is told so by
 * letter, and the caller hears the same as ever: nobody learns by registering who has an account.
 * @throws BAD_USER_INPUT, CONFLICT `username already exist`, RATE_LIMITED
 */
export async function register(ctx: Ctx, fields: unknown): Promise<{ message: string }> {
  const input = parseInput(registerInput, fields);
  refuseOwnName(input.password, input);
  await consumeOrThrow(ctx, throttles.registrations(ctx.origin));
  // Both in any case, so that both outcomes take the same time.
  const [passwordHash, pendingHash] = await hashFor(ctx, () =>
    Promise.all([hashPassword(input.password), hashForRegistration(input.email, input.password)]),
  );
  const mayWrite = await countLetter(ctx, "verify", input.email);
  await ctx.db.$transaction((tx) => openAccount(ctx, tx, { ...input, passwordHash, pendingHash }, mayWrite));
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
  mayWrite: boolean,
): Promise<void> {
  // Of two who register one address at once, the second finds the account of the first.
  await ctx.locks.lockKey(tx, `register ${address}`);
  const account = { username: name, ...(await claimName(ctx, tx, name)), email: address };
  const owner = await tx.user.findUnique({ where: { email: address } });
  if (owner) {
    await addPending(ctx, tx, { ...account, passwordHash: pendingHash });
    if (mayWrite) await ctx.mail.write(tx, "accountExists", address, { username: owner.username });
    return;
  }
  const user = await tx.user.create({ data: { ...account, passwordHash, createdAt: ctx.now() } });
  const token = await findToken(ctx, tx, "VERIFY", user.id);
  if (mayWrite && token) await writeVerifyLetter(ctx, tx, user, token);
}

/** The letter says when and where the address was used: its owner may not have been the one. */
const writeVerifyLetter = (ctx: Ctx, tx: Tx, user: Unverified, token: string) =>
  ctx.mail.write(tx, "verify", user.email, {
    username: user.username,
    link: verifyPath(user.id, token),
    at: ctx.now(),
    userAgent: ctx.userAgent,
  });

type Unverified = { id: string; username: string; email: string };

const verifyPath = (userId: string, token: string) => `/users/${userId}/verify/${token}`;

/** Mails an unverified account a fresh link; the caller has counted the letter. */
export async function sendVerifyLink(ctx: Ctx, user: Unverified): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const token = await findToken(ctx, tx, "VERIFY", user.id);
    if (token) await writeVerifyLetter(ctx, tx, user, token);
  });
}

/** @throws BAD_USER_INPUT `invalid link` */
export async function verifyEmail(ctx: Ctx, userId: string, token: string): Promise<{ message: string }> {
  await refuseUnknownLink(ctx, "VERIFY", { userId, token });
  await ctx.db.$transaction(async (tx) => {
    await requireVerifyLink(ctx, tx, { userId, token });
    await tx.user.updateMany({ where: { id: userId, verifiedAt: null }, data: { verifiedAt: ctx.now() } });
  });
  ctx.invalidate(`user:${userId}`);
  recordEvent(ctx, { event: "verify-email", target: userId, outcome: "success" });
  return { message: "Your account verified" };
}

export const adminInput = z.strictObject({ email, password: newPassword });

/**
 * Creates a verified admin.
 * @returns false when the address has an account already: it stays as it is
 * @throws BAD_USER_INPUT
 */
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
  // The address must not become the public name; where somebody is called Admin, a number is added.
  for (const name of ["Admin", `Admin ${randomInt(1_000, 10_000)}`]) {
    const isNew = await services.db
      .$transaction(async (tx) => {
        // Somebody may have registered the address before, and cannot verify it.
        await tx.user.deleteMany({ where: { email: account.email, verifiedAt: null } });
        const data = { ...account, username: name, ...(await claimName(services, tx, name)), isAdmin: true };
        return (await tx.user.createMany({ data, skipDuplicates: true })).count === 1;
      })
      .catch(mapTaken);
    if (isNew !== null) return isNew;
  }
  return false;
}

/** The next name is tried. */
function mapTaken(error: unknown): null {
  if (error instanceof BlogError && error.code === "CONFLICT") return null;
  throw error;
}

/** Removes accounts that stayed unverified for a week: their names and addresses are free again. */
export async function removeUnverified(services: Services): Promise<number> {
  const createdAt = { lt: new Date(services.now().getTime() - PENDING_LIFETIME) };
  const { count } = await services.db.user.deleteMany({ where: { verifiedAt: null, createdAt } });
  await removeStalePending(services);
  return count;
}

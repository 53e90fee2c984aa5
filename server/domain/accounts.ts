import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Ctx, Parts } from "../context.ts";
import { conflict } from "../errors.ts";
import { nameKey, parseInput, text } from "./input.ts";
import { openLink, requireVerifyLink } from "./mail-links.ts";
import { hashPassword, newPassword, refuseOwnName } from "./passwords.ts";
import { countHit, hitOrRefuse, throttles } from "./throttles.ts";

/** What is said wherever a letter with a verify link goes out, and, alike, where none does. */
export const VERIFY_MESSAGE = "We sent to you an email, please verify your email address";

/** Addresses are compared without case: they are kept in lower case. */
export const email = text(5, 100)
  .check(z.email())
  .toLowerCase()
  .meta({ examples: ["maya@example.com"] });
export const username = text(2, 100).meta({
  description: "Unique without regard to case.",
  examples: ["Maya"],
});

export const registerInput = z.strictObject({ username, email, password: newPassword });
type Registration = z.output<typeof registerInput>;

export const usernameTaken = () => conflict("username already exist");

/**
 * Opens an unverified account and mails its verify link. An address that has one already is told so by
 * letter, and the caller hears the same as ever: nobody learns by registering who has an account.
 * @throws BAD_USER_INPUT, CONFLICT `username already exist`, RATE_LIMITED
 */
export async function register(ctx: Ctx, fields: unknown): Promise<{ message: string }> {
  const input = parseInput(registerInput, fields);
  refuseOwnName(input.password, input);
  await hitOrRefuse(ctx, throttles.registrations(ctx.origin));
  // In any case, so that both outcomes take the same time.
  const passwordHash = await hashPassword(input.password);
  if (await isNameTaken(ctx, input.username)) throw usernameTaken();
  const mayWrite = await countHit(ctx, throttles.letters("verify", input.email));
  const isNew = await openAccount(ctx, input, passwordHash, mayWrite);
  if (!isNew && mayWrite) await tellOwner(ctx, input.email);
  return { message: VERIFY_MESSAGE };
}

const isNameTaken = async (ctx: Ctx, name: string) =>
  (await ctx.db.user.count({ where: { usernameKey: nameKey(name) } })) > 0;

/** @returns false when the address has an account already */
async function openAccount(
  ctx: Ctx,
  input: Registration,
  passwordHash: string,
  mayWrite: boolean,
): Promise<boolean> {
  const { username: name, email: address } = input;
  const data = {
    username: name,
    usernameKey: nameKey(name),
    email: address,
    passwordHash,
    createdAt: ctx.now(),
  };
  return ctx.db.$transaction(async (tx) => {
    // Two who take the same name at once: the database lets one in, and the other is told below.
    const { count } = await tx.user.createMany({ data, skipDuplicates: true });
    const user = await tx.user.findUnique({ where: { email: address } });
    if (count === 0 && !user) throw usernameTaken();
    if (count === 0 || !user) return false;
    const token = await openLink(ctx, tx, "VERIFY", user.id);
    if (mayWrite && token)
      await ctx.mail.write(tx, "verify", address, { username: name, link: verifyPath(user.id, token) });
    return true;
  });
}

const verifyPath = (userId: string, token: string) => `/users/${userId}/verify/${token}`;

const tellOwner = (ctx: Ctx, address: string) =>
  ctx.db.$transaction(async (tx) => {
    const owner = await tx.user.findUnique({ where: { email: address } });
    if (owner) await ctx.mail.write(tx, "accountExists", owner.email, { username: owner.username });
  });

/** Mails an unverified account a fresh link, within the quota of letters. */
export async function sendVerifyLink(
  ctx: Ctx,
  user: { id: string; username: string; email: string },
): Promise<void> {
  if (!(await countHit(ctx, throttles.letters("verify", user.email)))) return;
  await ctx.db.$transaction(async (tx) => {
    const token = await openLink(ctx, tx, "VERIFY", user.id);
    if (!token) return;
    await ctx.mail.write(tx, "verify", user.email, {
      username: user.username,
      link: verifyPath(user.id, token),
    });
  });
}

/** @throws BAD_USER_INPUT `invalid link` */
export async function verifyEmail(ctx: Ctx, userId: string, token: string): Promise<{ message: string }> {
  await ctx.db.$transaction(async (tx) => {
    await requireVerifyLink(ctx, tx, { userId, token });
    await tx.user.updateMany({ where: { id: userId, verifiedAt: null }, data: { verifiedAt: ctx.now() } });
  });
  ctx.changed(`user:${userId}`);
  return { message: "Your account verified" };
}

export const adminInput = z.strictObject({ email, password: newPassword });

/**
 * Creates a verified admin.
 * @returns false when the address has an account already: it stays as it is
 * @throws BAD_USER_INPUT
 */
export async function createAdmin(
  parts: Parts,
  fields: { email: string; password: string },
): Promise<boolean> {
  const input = parseInput(adminInput, fields);
  const account = {
    email: input.email,
    passwordHash: await hashPassword(input.password),
    verifiedAt: parts.now(),
  };
  // The address must not become the public name; where somebody is called Admin, a number is added.
  for (const name of ["Admin", `Admin ${randomInt(1_000, 10_000)}`]) {
    const data = { ...account, username: name, usernameKey: nameKey(name), isAdmin: true };
    const { count } = await parts.db.user.createMany({ data, skipDuplicates: true });
    if (count === 1) return true;
  }
  return false;
}

const UNVERIFIED_LIFETIME = 7 * 24 * 60 * 60 * 1000;

/** Removes accounts that stayed unverified for a week: their names and addresses are free again. */
export async function removeUnverified(parts: Parts): Promise<number> {
  const createdAt = { lt: new Date(parts.now().getTime() - UNVERIFIED_LIFETIME) };
  const { count } = await parts.db.user.deleteMany({ where: { verifiedAt: null, createdAt } });
  return count;
}

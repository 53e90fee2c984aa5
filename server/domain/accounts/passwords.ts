import { hash, verify, type Options } from "@node-rs/argon2";
import { z } from "zod";
import { badInput } from "../../errors.ts";
import type { Ctx } from "../context.ts";
import { HASHES_PER_NETWORK } from "../../limits.ts";
import { networkOf } from "../../networks.ts";
import { createBulkhead, createKeyedQueues } from "../../queue.ts";
import { commonPasswords } from "./common-passwords.ts";
import { isStorable, nameKey } from "../input.ts";

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 36 ms of one core. */
const options: Options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Each takes its memory and a core: two at a time per core, and nobody waits longer than a person would. */
const inTurn = createBulkhead("hashing");

const ofNetwork = createKeyedQueues(HASHES_PER_NETWORK);

/**
 * Runs work that hashes for a caller, a few of one network at a time: others find room in the line.
 * @throws UNAVAILABLE
 */
export async function hashFor<T>({ origin }: Ctx, work: () => Promise<T>): Promise<T> {
  const leave = await ofNetwork(networkOf(origin));
  return work().finally(leave);
}

/** @param salt 16 bytes; random ones where none are given */
export const hashPassword = (password: string, salt?: Buffer) =>
  inTurn(() => hash(password, salt ? { ...options, salt } : options));

export const checkPassword = (passwordHash: string, password: string) =>
  inTurn(() => verify(passwordHash, password).catch(() => false));

let decoy: Promise<string> | undefined;

/** For an unknown account: takes the time of a check, so that nobody can tell by the clock. */
export async function verifyDummyPassword(): Promise<false> {
  decoy ??= hashPassword("nobody's password").catch((error: unknown) => {
    decoy = undefined;
    throw error;
  });
  await checkPassword(await decoy, "somebody's password");
  return false;
}

/** 8 to 128 characters as they were typed: no rules of composition, but neither blanks only nor the commonest. */
export const newPassword = z
  .string()
  .refine(isStorable, { error: "contains invalid characters", abort: true })
  .min(8)
  .max(128)
  .refine((password) => password.trim() !== "", "must not consist of blanks only")
  .refine((password) => !commonPasswords.has(password.toLowerCase()), "is too common, please choose another")
  .meta({
    description: "Not one of the commonest, nor the username or the address.",
    examples: ["a long enough secret"],
  });

/** @throws BAD_USER_INPUT when the password is the account's own name or address */
export function refuseOwnName(password: string, account: { username: string; email: string }): void {
  const key = nameKey(password.trim());
  if (key !== nameKey(account.username) && key !== nameKey(account.email)) return;
  const message = '"password" must not be your username or email';
  throw badInput(message, { password: message });
}

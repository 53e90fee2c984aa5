import { hash, verify, type Options } from "@node-rs/argon2";
import { z } from "zod";
import { badInput } from "../../errors.ts";
import type { Ctx } from "../context.ts";
import { HASHES_PER_NETWORK, LENGTHS } from "../../limits.ts";
import { networkOf } from "../../networks.ts";
import { createBulkhead, createKeyedQueues } from "../../queue.ts";
import { commonPasswords } from "./common-passwords.ts";
import { isStorable, nameKey } from "../input.ts";

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane; about 36 ms of one core. */
const options: Options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Each hash needs 19 MiB and a core: two run per core, and the queue has a length limit and a timeout. */
const limitHashing = createBulkhead("hashing");

const networkQueues = createKeyedQueues(HASHES_PER_NETWORK, "network_hashing");

/** Limits concurrent hashing per network, so that one network cannot fill the queue. @throws UNAVAILABLE */
export async function hashFor<T>({ origin }: Ctx, work: () => Promise<T>): Promise<T> {
  const release = await networkQueues(networkOf(origin));
  return work().finally(release);
}

/** @param salt 16 bytes; random by default */
export const hashPassword = (password: string, salt?: Buffer) =>
  limitHashing(() => hash(password, salt ? { ...options, salt } : options));

export const checkPassword = (passwordHash: string, password: string) =>
  limitHashing(() => verify(passwordHash, password).catch(() => false));

let decoy: Promise<string> | undefined;

/** Takes the time of a password check, so that the duration does not reveal an unknown account. */
export async function verifyDummyPassword(): Promise<false> {
  decoy ??= hashPassword("nobody's password").catch((error: unknown) => {
    decoy = undefined;
    throw error;
  });
  await checkPassword(await decoy, "somebody's password");
  return false;
}

/** Not trimmed; no composition rules, but not blank and not a common password. */
export const newPassword = z
  .string()
  .refine(isStorable, { error: "contains invalid characters", abort: true })
  .min(LENGTHS.password[0])
  .max(LENGTHS.password[1])
  .refine((password) => password.trim() !== "", "must not consist of blanks only")
  .refine((password) => !commonPasswords.has(password.toLowerCase()), "is too common, please choose another")
  .meta({
    description: "Not one of the commonest, nor the username or the address.",
    examples: ["a long enough secret"],
  });

/** @throws BAD_USER_INPUT if the password is the account's username or email */
export function refuseOwnName(password: string, account: { username: string; email: string }): void {
  const key = nameKey(password.trim());
  if (key !== nameKey(account.username) && key !== nameKey(account.email)) return;
  const message = '"password" must not be your username or email';
  throw badInput(message, { password: message });
}

import { hash, verify, type Options } from "@node-rs/argon2";
import { z } from "zod";
import { badField } from "../../errors.ts";
import type { Ctx } from "../context.ts";
import { LENGTHS } from "../../limits.ts";
import { createBulkhead } from "../../queue.ts";
import { commonPasswords } from "./common-passwords.ts";
import { isStorable, nameKey } from "../input.ts";

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane; about 36 ms of one core. */
const options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } satisfies Options;

const limitHashing = createBulkhead("hashing");

/** Runs the hashes of one request, two at most, round-robin by network. `work` must not run SQL: it would hold the permit while it waits for a connection. @throws UNAVAILABLE */
export const withHashingPermit = <T>({ origin }: Ctx, work: () => Promise<T>): Promise<T> =>
  limitHashing(work, origin);

/** Unlimited: see `withHashingPermit`. @param salt 16 bytes; random by default */
export const hashPassword = (password: string, salt?: Buffer) =>
  hash(password, salt ? { ...options, salt } : options);

const PARAMETERS = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;

/** A restored backup may hold any hash, whose parameters decide how much memory and time a sign-in takes. */
function isAffordable(passwordHash: string): boolean {
  const [, memory, time, lanes] = PARAMETERS.exec(passwordHash) ?? [];
  return (
    Number(memory) <= options.memoryCost &&
    Number(time) <= options.timeCost &&
    Number(lanes) <= options.parallelism
  );
}

export const checkPassword = async (passwordHash: string, password: string): Promise<boolean> =>
  isAffordable(passwordHash) && verify(passwordHash, password).catch(() => false);

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
export function refuseNameAsPassword(password: string, account: { username: string; email: string }): void {
  const key = nameKey(password.trim());
  if (key !== nameKey(account.username) && key !== nameKey(account.email)) return;
  const message = '"password" must not be your username or email';
  throw badField("password", message);
}

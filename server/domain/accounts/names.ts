import { z } from "zod";
import type { Services } from "../context.ts";
import { conflict } from "../../errors.ts";
import { LENGTHS } from "../../limits.ts";
import { isStorable, nameKey } from "../input.ts";
import { confusableKey, confusableKeysAgainst, isPrintableName, collapseSpaces } from "./name-rules.ts";
import type { Tx } from "../ports.ts";

/** A new name: PRECIS Nickname (RFC 8266). The check runs before trimming, or a newline would pass. */
export const username = z
  .string()
  .refine(isStorable, { error: "contains invalid characters", abort: true })
  .overwrite(collapseSpaces)
  .min(LENGTHS.username[0])
  .max(LENGTHS.username[1], { abort: true })
  .refine(
    (name) => name.length < LENGTHS.username[0] || isPrintableName(name),
    "contains characters that cannot be seen or typed",
  )
  .meta({
    description: "Unique without regard to case, and to look like no other name.",
    examples: ["Maya"],
  });

export const usernameTaken = () => conflict("username already exist");

const keysOf = (name: string) => ({ usernameKey: nameKey(name), confusableKey: confusableKey(name) });

/**
 * Reserves a name among accounts and pending registrations until the transaction ends; locks serialize lookalikes.
 * @param ownId the account that is renamed
 * @returns the keys to store with the name
 * @throws CONFLICT `username already exist`
 */
export async function claimName({ locks }: Pick<Services, "locks">, tx: Tx, name: string, ownId?: string) {
  const keys = keysOf(name);
  // Names with one of these keys in common may differ in the other.
  await locks.lockKey(tx, `name ${keys.usernameKey}`);
  await locks.lockKey(tx, `lookalike ${keys.confusableKey.slice(1)}`);
  const looksAlike = { confusableKey: { in: confusableKeysAgainst(name) } };
  const where = { OR: [{ usernameKey: keys.usernameKey }, looksAlike] };
  const users = await tx.user.count({ where: { ...where, ...(ownId && { id: { not: ownId } }) } });
  // In both cases: the duration of a refusal would show whether the address of the name's registration has an account.
  const registrations = await tx.pendingRegistration.count({ where });
  if (users + registrations > 0) throw usernameTaken();
  return keys;
}

const BATCH = 1_000;

export async function fillConfusableKeys({ db, writes }: Services): Promise<void> {
  for (;;) {
    const users = await db.user.findMany({
      where: { confusableKey: null },
      select: { id: true, username: true },
      take: BATCH,
    });
    if (users.length === 0) return;
    await writes.setConfusableKeys(new Map(users.map(({ id, username }) => [id, confusableKey(username)])));
  }
}

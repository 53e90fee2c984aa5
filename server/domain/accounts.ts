import { z } from "zod";
import type { Parts } from "../context.ts";
import { nameKey, parseInput, text } from "./input.ts";
import { hashPassword } from "./passwords.ts";

/** Addresses are compared without case: they are kept in lower case. */
export const email = text(5, 100).pipe(z.email()).pipe(z.string().toLowerCase());

export const adminInput = z.strictObject({ email, password: z.string().min(8).max(128) });

/**
 * Creates a verified admin; an account that has the address already stays as it is.
 * @throws BAD_USER_INPUT
 */
export async function createAdmin(parts: Parts, fields: { email: string; password: string }): Promise<void> {
  const input = parseInput(adminInput, fields);
  const passwordHash = await hashPassword(input.password);
  await parts.db.user.createMany({
    data: {
      username: input.email,
      usernameKey: nameKey(input.email),
      email: input.email,
      passwordHash,
      isAdmin: true,
      verifiedAt: parts.now(),
    },
    skipDuplicates: true,
  });
}

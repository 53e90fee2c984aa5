import { randomBytes } from "node:crypto";
import { createAdmin } from "../domain/accounts/accounts.ts";
import { commandName, type Env } from "../env.ts";
import { openServices } from "../services.ts";
import { StartError } from "../start-error.ts";

/** Generates a password if none is given, and shows it once. @throws StartError, BAD_USER_INPUT */
export async function createAdminAccount(env: Env, [verb, email, given]: string[]): Promise<string> {
  if (verb !== "create" || !email)
    throw new StartError(`Usage: ${commandName()} admin create EMAIL [PASSWORD]`);
  const password = given ?? randomBytes(12).toString("base64url");
  const open = await openServices(env, () => {});
  try {
    const created = await createAdmin(open.services, { email, password });
    if (!created) throw new StartError(`${email} has an account already, which was not changed.`);
    return given ? `${email} is an admin now.` : `${email} is an admin now, with the password ${password}`;
  } finally {
    await open.close();
  }
}

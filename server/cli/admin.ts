import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { createAdmin } from "../domain/accounts/accounts.ts";
import { commandName, type Env } from "../env.ts";
import { openServices } from "../services.ts";
import { StartError } from "../start-error.ts";

const FROM_INPUT = "--password-stdin";

/** Generates and shows a password if none is given. @throws StartError, BAD_USER_INPUT */
export async function createAdminAccount(
  env: Env,
  [verb, email, given]: string[],
  input: NodeJS.ReadableStream = process.stdin,
): Promise<string> {
  if (verb !== "create" || !email)
    throw new StartError(`Usage: ${commandName()} admin create EMAIL [${FROM_INPUT}]`);
  const chosen = given === FROM_INPUT ? (await text(input)).replace(/\r?\n$/, "") : given;
  const password = chosen ?? randomBytes(12).toString("base64url");
  const open = await openServices(env, () => {});
  try {
    const created = await createAdmin(open.services, { email, password });
    if (!created) throw new StartError(`${email} has an account already, which was not changed.`);
    if (chosen === undefined) return `${email} is an admin now, with the password ${password}`;
    return `${email} is an admin now.${given === FROM_INPUT ? "" : ` ${EXPOSED}`}`;
  } finally {
    await open.close();
  }
}

const EXPOSED = `The shell's history may contain the password: rather use ${FROM_INPUT}, or give none.`;

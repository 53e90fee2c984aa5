import { inject } from "vitest";
import { findLetter, linkIn } from "./outbox.ts";

const { url, outbox, email, password, adminEmail } = inject("blog");

export type Account = { _id: string; username: string; email: string; password: string; token: string };
export type Answer = { status: number; body: any };
type Call = { token?: string; body?: unknown; form?: FormData; headers?: Record<string, string> };

/** Asks the REST API, as a program would. */
export async function call(method: string, path: string, { token, body, form, headers }: Call = {}) {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
  });
  return { status: answer.status, body: (await answer.json()) as any };
}

let people = 0;

/** An account nobody has used, with the link of its letter; not verified yet. */
export async function register() {
  const name = `Reader ${++people} of ${Date.now().toString(36)}`;
  const account = {
    username: name,
    email: `${name.replaceAll(" ", ".").toLowerCase()}@example.org`,
    password: "seven blue herons",
  };
  // Each from an address of their own, as the proxy before the blog would say: one address may register few.
  const headers = { "x-forwarded-for": `203.0.113.${people}` };
  const { status, body } = await call("POST", "/auth/register", { body: account, headers });
  if (status !== 201) throw new Error(`no account: ${body.message}`);
  const letter = await findLetter(outbox, account.email, /^Verify/);
  return { ...account, link: linkIn(letter, /\/users\/\S+\/verify\/\S+/) };
}

/** @returns the account as its browser would keep it, with the password */
export async function logIn(account: { email: string; password: string }): Promise<Account> {
  const body = { email: account.email, password: account.password };
  const session = (await call("POST", "/auth/login", { body })).body;
  return { ...session, password: account.password };
}

export async function makeAccount(): Promise<Account> {
  const { link, ...account } = await register();
  await call("GET", link.replace("/users/", "/auth/"));
  return logIn(account);
}

/** The demo's writer, who owns nothing that tests make, and the demo's admin. */
export const logInWriter = () => logIn({ email, password });
export const logInAdmin = () => logIn({ email: adminEmail, password });

/** The path of the link in the latest letter for a new password. */
export async function requestReset(account: { email: string }): Promise<string> {
  await call("POST", "/password/reset-password-link", { body: { email: account.email } });
  return linkIn(await findLetter(outbox, account.email, /^Reset your password/), /\/reset-password\/\S+/);
}

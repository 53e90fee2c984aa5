import { request } from "node:http";
import { json } from "node:stream/consumers";
import { inject } from "vitest";
import { findLetter, linkIn } from "./outbox.ts";

const { url, outbox, email, password, adminEmail } = inject("blog");

export type Account = { _id: string; username: string; email: string; password: string; token: string };
export type Answer = { status: number; body: any };
type Call = { token?: string; body?: unknown; form?: FormData };

/** Asks the REST API, as a program would. */
export async function call(method: string, path: string, { token, body, form }: Call = {}) {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
  });
  return { status: answer.status, body: (await answer.json()) as any };
}

let people = 0;

/** Asks from another address of this machine: one address may register only a few accounts an hour. */
const postFrom = (localAddress: string, path: string, body: unknown) =>
  new Promise<Answer>((resolve, reject) => {
    const { port } = new URL(url);
    const headers = { "content-type": "application/json" };
    const options = { host: "127.0.0.1", port, localAddress, headers, method: "POST", agent: false };
    request({ ...options, path: `/api${path}` }, (answer) => {
      json(answer).then((said) => resolve({ status: answer.statusCode ?? 0, body: said }), reject);
    })
      .on("error", reject)
      .end(JSON.stringify(body));
  });

/** An account nobody has used, with the link of its letter; not verified yet. */
export async function register() {
  const name = `Reader ${++people} of ${Date.now().toString(36)}`;
  const account = {
    username: name,
    email: `${name.replaceAll(" ", ".").toLowerCase()}@example.org`,
    password: "seven blue herons",
  };
  const { status, body } = await postFrom(`127.0.1.${people}`, "/auth/register", account);
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

import { request } from "node:http";
import { json } from "node:stream/consumers";
import { givenBlog } from "./given-blog.ts";
import { findEmail, linkIn } from "./outbox.ts";

const { url, outbox, email, password, adminEmail } = givenBlog;

export type Account = { _id: string; username: string; email: string; password: string; token: string };
export type ApiResponse = { status: number; body: any };
type Call = { token?: string; body?: unknown; form?: FormData };

export async function call(method: string, path: string, { token, body, form }: Call = {}) {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
  });
  return { status: response.status, body: (await response.json()) as any };
}

/** @returns the data of a GraphQL operation */
export async function ask(query: string, variables: object, token: string): Promise<any> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as any;
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

let people = 0;

/** Sends from another loopback address: the registration limit counts accounts per address and hour. */
const postFrom = (localAddress: string, path: string, body: unknown) =>
  new Promise<ApiResponse>((resolve, reject) => {
    const { port } = new URL(url);
    const headers = { "content-type": "application/json" };
    const options = { host: "127.0.0.1", port, localAddress, headers, method: "POST", agent: false };
    request({ ...options, path: `/api${path}` }, (response) => {
      json(response).then((content) => resolve({ status: response.statusCode ?? 0, body: content }), reject);
    })
      .on("error", reject)
      .end(JSON.stringify(body));
  });

/** Registers a new, unverified account; returns it with the path of its verification link. */
export async function register() {
  const name = `Reader ${++people} of ${Date.now().toString(36)}`;
  const account = {
    username: name,
    email: `${name.replaceAll(" ", ".").toLowerCase()}@example.org`,
    password: "seven blue herons",
  };
  const address = `127.0.${1 + Math.floor(people / 250)}.${1 + (people % 250)}`;
  const { status, body } = await postFrom(address, "/auth/register", account);
  if (status !== 201) throw new Error(`no account: ${body.message}`);
  const email = await findEmail(outbox, account.email, /^Verify/);
  return { ...account, link: linkIn(email, /\/users\/\S+\/verify\/\S+/) };
}

/** @returns the session, as stored in the browser, with the password */
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

/** The writer of the demo owns nothing that tests create. */
export const logInWriter = () => logIn({ email, password });
export const logInAdmin = () => logIn({ email: adminEmail, password });

/** Requests a password reset; returns the path of the emailed link. */
export async function requestReset(account: { email: string }): Promise<string> {
  await call("POST", "/password/reset-password-link", { body: { email: account.email } });
  return linkIn(await findEmail(outbox, account.email, /^Reset your password/), /\/reset-password\/\S+/);
}

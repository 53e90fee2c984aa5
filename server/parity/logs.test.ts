import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startWorker } from "../jobs/worker.ts";
import {
  deleteProfile,
  register,
  requestPasswordReset,
  resetPassword,
  updateProfile,
  verifyEmail,
} from "../testing/account-calls.ts";
import { emailsTo, linkTo } from "../testing/accounts.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { smtpTo, startMailServer } from "../testing/mail.ts";
import type { ParityCall } from "../testing/parity.ts";

let blog: TestApp;
let site: string;
const lines: string[] = [];
/** Every password, token, link and email that the tests use. */
const secrets = new Set<string>();

beforeAll(async () => {
  const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) });
  blog = await startTestApp({ log });
  await blog.app.listen({ port: 0, host: "127.0.0.1" });
  site = `http://127.0.0.1:${(blog.app.server.address() as AddressInfo).port}`;
});

type Ask = (call: ParityCall, token?: string) => Promise<{ status: number; body: any }>;

const languages: Record<string, Ask> = {
  rest: async ({ rest }, token) => {
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (token) headers["authorization"] = `Bearer ${token}`;
    const response = await fetch(`${site}/api${rest.path}`, {
      method: rest.method,
      headers,
      ...(rest.body && { body: JSON.stringify(rest.body) }),
    });
    return { status: response.status, body: await response.json() };
  },
  graphql: async ({ graphql: { query, variables } }, token) => {
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (token) headers["authorization"] = `Bearer ${token}`;
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${site}/graphql`, { method: "POST", headers, body });
    const { data, errors } = (await response.json()) as any;
    if (errors) return { status: 400, body: errors };
    return { status: 200, body: Object.values(data)[0] };
  },
};

const secret = (text: string) => {
  secrets.add(text);
  return text;
};

const login = (email: string, password: string): ParityCall => ({
  graphql: {
    query: "mutation ($input: LoginInput!) { login(input: $input) { token } }",
    variables: { input: { email, password } },
  },
  rest: { method: "POST", path: "/auth/login", body: { email, password } },
});

/** Opens the link's page, and sends its token in a query string. */
async function openLink(
  kind: "verify" | "reset",
  { url, userId, token }: Awaited<ReturnType<typeof linkTo>>,
) {
  expect((await fetch(site + new URL(url).pathname)).status).toBe(200);
  const query = "query ($userId: ID!, $token: String!) { resetLinkValid(userId: $userId, token: $token) }";
  const search = new URLSearchParams({ query, variables: JSON.stringify({ userId, token }) });
  const response = await fetch(`${site}/graphql?${search}`, {
    headers: { "apollo-require-preflight": "yes" },
  });
  expect(await response.json()).toMatchObject({ data: { resetLinkValid: kind === "reset" } });
}

/** Runs an account's lifecycle. @returns the status of each step */
async function runLifecycle(ask: Ask, name: string) {
  const email = `${name}@example.org`;
  const [first, second, third, wrong] = ["first", "second", "third", "wrong"].map((n) =>
    secret(`${n} password of ${name}`),
  ) as [string, string, string, string];
  const statuses: number[] = [];
  const step = async (call: ParityCall, token?: string) => {
    const response = await ask(call, token);
    statuses.push(response.status);
    return response.body;
  };
  const follow = async (kind: "verify" | "reset") => {
    const link = await linkTo(blog, email, kind);
    secret(link.token);
    await openLink(kind, link);
    return link;
  };
  await step(register({ username: name, email, password: first }));
  const verify = await follow("verify");
  await step(verifyEmail(verify.userId, verify.token));
  secret((await step(login(email, first))).token);
  await step(login(email, wrong));
  await step(requestPasswordReset(email));
  const reset = await follow("reset");
  await step(resetPassword(reset.userId, reset.token, second));
  const token = secret((await step(login(email, second))).token);
  await step(updateProfile(verify.userId, { password: third }), token);
  await fetch(`${site}/api/nothing/${token}`);
  for (const { text, html } of await emailsTo(blog, email)) [text, html].forEach(secret);
  await step(deleteProfile(verify.userId), token);
  return statuses;
}

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim().length > 20);

function expectSilence(): void {
  expect(secrets.size).toBeGreaterThan(10);
  const logged = lines.join("");
  for (const each of secrets)
    for (const line of linesOf(each)) expect(logged).not.toContain(JSON.stringify(line).slice(1, -1));
  expect(logged).not.toMatch(/bearer|authorization|\/verify\/[\w-]{20}|reset-password\/[0-9a-f]{8}-/i);
}

const good = {
  rest: [201, 200, 200, 400, 200, 200, 200, 200, 200],
  graphql: [200, 200, 200, 400, 200, 200, 200, 200, 200],
};

test.each(["rest", "graphql"] as const)(
  "in %s: the logs contain no password, token, link, email or Authorization header",
  async (language) => {
    lines.length = 0;
    const mail = await startMailServer({ refusals: 3 });
    const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
    onTestFinished(await startWorker({ url: blog.url }, blog.services, smtpTo(mail.url), log));
    expect(await runLifecycle(languages[language]!, language)).toEqual(good[language]);
    await expect
      .poll(() => lines.filter((line) => line.includes("an email was not accepted")).length)
      .toBe(3);
    expect(lines.length).toBeGreaterThan(15);
    expectSilence();
  },
);

test("R29B: nor after a form, whose headers the parser logs at level trace", async () => {
  lines.length = 0;
  const noor = await blog.signUp();
  secret(noor.token);
  const form = new FormData();
  form.set("image", new Blob(["no picture"]), "a.png");
  const headers = { authorization: `Bearer ${noor.token}` };
  const path = `${site}/api/users/profile/profile-photo-upload`;
  expect((await fetch(path, { method: "POST", headers, body: form })).status).toBe(415);
  expect(lines.join("")).toContain("Providing options to busboy");
  expectSilence();
});

test("nor after an internal error", async () => {
  const ada = await blog.signUp({ username: "Ada" });
  secret(ada.token);
  await blog.pool.query(`ALTER TABLE "MailToken" RENAME TO "Gone"`);
  onTestFinished(async () => void (await blog.pool.query(`ALTER TABLE "Gone" RENAME TO "MailToken"`)));
  const broken = register({
    username: "Broken",
    email: "broken@example.org",
    password: secret("a password that breaks"),
  });
  expect((await languages["rest"]!(broken)).status).toBe(500);
  expect((await languages["graphql"]!(broken)).status).toBe(400);
  expect(
    lines.filter((line) => line.includes("a request failed") || line.includes("failed")).length,
  ).toBeGreaterThan(0);
  expectSilence();
});

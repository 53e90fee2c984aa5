import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { verifyEmail } from "../domain/accounts/accounts.ts";
import type { CacheTag } from "../domain/ports.ts";
import { login } from "../domain/accounts/sessions.ts";
import {
  after,
  callerOf,
  createAccount,
  ctxOf,
  DAY,
  HOUR,
  emailsTo,
  linkTo,
  MINUTE,
  VERIFY_MESSAGE,
} from "../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

const call = (...args: Parameters<ReturnType<typeof callerOf>>) => callerOf(blog)(...args);
const signIn = (email: string, password = PASSWORD) => call("POST", "/auth/login", { email, password });
const verifiedAt = async (email: string) =>
  (await blog.db.user.findUniqueOrThrow({ where: { email } })).verifiedAt;

let count = 0;
async function registerWithLink() {
  const email = `joined${++count}@example.com`;
  await call("POST", "/auth/register", { username: `Joined ${count}`, email, password: PASSWORD });
  return { email, ...(await linkTo(blog, email, "verify")) };
}

const good = { status: 200, body: { message: "Your account verified" } };
const bad = { status: 400, body: { message: "invalid link" } };
const unverified = { status: 400, body: { message: VERIFY_MESSAGE } };

describe("a verify link", () => {
  test("verifies the account, which then signs in", async () => {
    const { email, api } = await registerWithLink();
    expect(await call("GET", api)).toMatchObject(good);
    expect(await verifiedAt(email)).toBeInstanceOf(Date);
    expect((await signIn(email)).status).toBe(200);
  });

  test("gives the same response each time, and keeps the first timestamp", async () => {
    const { email, api } = await registerWithLink();
    const responses = await Promise.all([call("GET", api), call("GET", api), call("GET", api)]);
    const first = await verifiedAt(email);
    for (const response of [...responses, await call("GET", api)]) expect(response).toMatchObject(good);
    expect(await verifiedAt(email)).toEqual(first);
  });

  test("invalidates cached responses once only", async () => {
    const { userId, token } = await registerWithLink();
    const tags: CacheTag[] = [];
    const ctx = { ...ctxOf(blog), invalidate: (...changed: CacheTag[]) => void tags.push(...changed) };
    for (let n = 0; n < 3; n++) await verifyEmail(ctx, userId, token);
    expect(tags).toEqual([`user:${userId}`]);
  });

  test("is valid for 24 hours, used or not", async () => {
    const [fresh, used] = [await registerWithLink(), await registerWithLink()];
    await call("GET", used.api);
    for (const { userId, token } of [fresh, used]) {
      const late = verifyEmail(ctxOf(blog, { now: after(DAY + MINUTE) }), userId, token);
      await expect(late).rejects.toMatchObject({ code: "BAD_USER_INPUT", message: "invalid link" });
      const inTime = verifyEmail(ctxOf(blog, { now: after(DAY - MINUTE) }), userId, token);
      expect(await inTime).toEqual(good.body);
    }
  });

  test("is refused when it is wrong, malformed or another user's", async () => {
    const [mine, yours] = [await registerWithLink(), await registerWithLink()];
    await call("POST", "/password/reset-password-link", { email: mine.email });
    const reset = await linkTo(blog, mine.email, "reset");
    const nobody = "00000000-0000-0000-0000-000000000000";
    for (const path of [
      `${mine.userId}/verify/${yours.token}`,
      `${mine.userId}/verify/${reset.token}`,
      `${mine.userId}/verify/${mine.token}x`,
      `${mine.userId}/verify/${mine.token.toLowerCase()}`,
      `${mine.userId}/verify/undefined`,
      `${mine.userId}/verify/%00`,
      `${mine.userId}/verify/${"a".repeat(1_500)}`,
      `${nobody}/verify/${mine.token}`,
      `12-34/verify/${mine.token}`,
      `undefined/verify/${mine.token}`,
      `%00/verify/${mine.token}`,
    ])
      expect([path, await call("GET", `/auth/${path}`)]).toMatchObject([path, bad]);
    expect(await verifiedAt(mine.email)).toBeNull();
  });

  test("has the same responses in GraphQL", async () => {
    const { userId, token } = await registerWithLink();
    const verify = (variables: object) =>
      blog.gql(
        "mutation ($u: ID!, $t: String!) { verifyEmail(userId: $u, token: $t) { message } }",
        variables,
      );
    const refused = await verify({ u: userId, t: "wrong" });
    expect(refused.body.errors).toMatchObject([{ message: "invalid link" }]);
    for (let time = 0; time < 2; time++)
      expect((await verify({ u: userId, t: token })).body.data.verifyEmail).toEqual(good.body);
  });
});

describe("signing in before the address is verified", () => {
  test.each(["older", "newer"] as const)(
    "is refused, and the %s of two links verifies the address",
    async (which) => {
      const older = await registerWithLink();
      expect(await signIn(older.email)).toMatchObject(unverified);
      const newer = await linkTo(blog, older.email, "verify");
      expect(newer.token).not.toBe(older.token);
      const [used, other] = which === "older" ? [older, newer] : [newer, older];
      for (let time = 0; time < 2; time++) expect(await call("GET", used.api)).toMatchObject(good);
      expect(await call("GET", other.api)).toMatchObject(bad);
      expect(await blog.db.session.count({ where: { userId: older.userId } })).toBe(0);
    },
  );

  test("with a wrong password does not mention it and sends no email", async () => {
    const { email } = await createAccount(blog, { verifiedAt: null });
    const response = await signIn(email, "not the password");
    expect(response).toMatchObject({ status: 400, body: { message: "invalid email or password" } });
    expect(await emailsTo(blog, email)).toEqual([]);
  });

  test("sends five emails an hour at most, with the same response, and the last link stays valid", async () => {
    const { email } = await createAccount(blog, { verifiedAt: null });
    const call = callerOf(blog);
    const signIn = () => call("POST", "/auth/login", { email, password: PASSWORD });
    for (let time = 0; time < 7; time++) expect(await signIn()).toMatchObject(unverified);
    const emails = await emailsTo(blog, email);
    expect(emails.map(({ kind }) => kind)).toEqual(Array(5).fill("verify"));
    expect(await call("GET", (await linkTo(blog, email, "verify")).api)).toMatchObject(good);
  });

  test("sends emails again after the hour", async () => {
    const { email } = await createAccount(blog, { verifiedAt: null });
    const origin = "192.0.2.55";
    const call = callerOf(blog, origin);
    for (let time = 0; time < 6; time++) await call("POST", "/auth/login", { email, password: PASSWORD });
    const later = ctxOf(blog, { origin, now: after(HOUR + MINUTE) });
    await expect(login(later, { email, password: PASSWORD })).rejects.toThrow(VERIFY_MESSAGE);
    expect(await emailsTo(blog, email)).toHaveLength(6);
  });
});

test("F6: links that one IP address requests at once occupy one connection, valid or not", async () => {
  const { userId, token } = await registerWithLink();
  const { locks } = blog.services;
  let [running, most] = [0, 0];
  const lockAccount: typeof locks.lockAccount = async (tx, id) => {
    most = Math.max(most, ++running);
    await sleep(20);
    running--;
    return locks.lockAccount(tx, id);
  };
  blog.services.locks = { ...locks, lockAccount };
  onTestFinished(() => void (blog.services.locks = locks));
  const caller = callerOf(blog, "192.0.2.11");
  const path = (secret: string) => `/auth/${userId}/verify/${secret}`;
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, n) => caller("GET", path(n % 2 ? token : "wrong"))),
  );
  expect(responses.map(({ status }) => status)).toEqual(
    Array.from({ length: 40 }, (_, n) => (n % 2 ? 200 : 400)),
  );
  expect(most).toBe(1);
});

test("F6: the network that fills the queue of links gets 503, and another one is served", async () => {
  const { userId, token } = await registerWithLink();
  const check = (n: number) =>
    callerOf(blog, "192.0.2.9")("GET", `/password/reset-password/${userId}/wrong${n}`);
  const { queries } = blog.services;
  const hasResetToken: typeof queries.hasResetToken = () => sleep(20, false);
  blog.services.queries = { ...queries, hasResetToken };
  onTestFinished(() => void (blog.services.queries = queries));
  const checks = Promise.all(Array.from({ length: 150 }, (_, n) => check(n)));
  expect((await callerOf(blog, "192.0.2.10")("GET", `/auth/${userId}/verify/${token}`)).status).toBe(200);
  const statuses = (await checks).map(({ status }) => status);
  expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(101);
  expect(new Set(statuses)).toEqual(new Set([400, 503]));
});

import { createHash } from "node:crypto";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { finishDeferredWork, runDeferred } from "../domain/deferred-work.ts";
import { checkResetLink, requestPasswordReset, resetPassword } from "../domain/accounts/password-resets.ts";
import {
  after,
  callerOf,
  createAccount,
  ctxOf,
  HOUR,
  emailKindsTo,
  emailsTo,
  linkTo,
  MINUTE,
} from "../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

const NEW = "quite another secret";
const call = (...args: Parameters<ReturnType<typeof callerOf>>) => callerOf(blog)(...args);
const ask = (email: unknown) => call("POST", "/password/reset-password-link", { email });
const signIn = async (email: string, password: string) =>
  (await call("POST", "/auth/login", { email, password })).status;

async function createReset(traits: Parameters<typeof createAccount>[1] = {}) {
  const { email, id } = await createAccount(blog, traits);
  await ask(email);
  return { email, id, ...(await linkTo(blog, email, "reset")) };
}

const accepted = {
  status: 200,
  body: { message: "Password reset link sent to your email, Please check your inbox" },
};
const valid = { status: 200, body: { message: "Valid url" } };
const done = { status: 200, body: { message: "Password reset successfully, please log in" } };
const bad = { status: 400, body: { message: "invalid link" } };

describe("requesting a reset link", () => {
  test("sends a link below the public URL, of which only the SHA-256 is stored", async () => {
    const { email, id } = await createAccount(blog);
    expect(await ask(` ${email.toUpperCase()} `)).toMatchObject(accepted);
    expect(await emailKindsTo(blog, email)).toEqual(["reset"]);
    const { url, token } = await linkTo(blog, email, "reset");
    expect(url).toBe(`http://blog.test/reset-password/${id}/${token}`);
    expect(token).toMatch(/^[\w-]{43}$/);
    const [row] = await blog.db.mailToken.findMany({ where: { userId: id } });
    expect(Buffer.from(row?.tokenHash ?? [])).toEqual(createHash("sha256").update(token).digest());
  });

  test("gets the same response for an unknown address, which receives no email", async () => {
    const { email } = await createAccount(blog);
    const [existing, unknown] = [await ask(email), await ask("nobody@example.com")];
    expect(unknown.status).toBe(200);
    expect(unknown.body).toEqual(existing.body);
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(existing.headers));
    expect(await emailsTo(blog, "nobody@example.com")).toEqual([]);
  });

  test("delays later emails equally for an unknown and an existing address, and other recipients by one", async () => {
    const { email } = await createAccount(blog);
    const ctx = ctxOf(blog, {});
    const timeOf = async (address: string) => {
      const begun = performance.now();
      for (let n = 0; n < 4; n++)
        await requestPasswordReset({ ...ctx, rateLimitsEnabled: false }, { email: address });
      await finishDeferredWork();
      return performance.now() - begun;
    };
    expect(await timeOf("unknown@example.com")).toBeGreaterThan(4 * 75);
    expect(await timeOf(email)).toBeGreaterThan(4 * 75);
    const order: string[] = [];
    const send = (key: string) =>
      runDeferred(
        ctx,
        { kind: "emails", key },
        async () => void order.push(key),
        () => undefined,
      );
    for (const key of ["a", "a", "a", "b"]) send(key);
    await finishDeferredWork();
    expect(order).toEqual(["a", "b", "a", "a"]);
  });

  test("takes equally long for an unknown and an existing address", async () => {
    const { email } = await createAccount(blog);
    const timeOf = async (address: string) => {
      const begun = performance.now();
      await ask(address);
      return performance.now() - begun;
    };
    const [existing, unknown]: [number[], number[]] = [[], []];
    for (let time = 0; time < 4; time++) {
      unknown.push(await timeOf("timed@example.com"));
      existing.push(await timeOf(email));
    }
    // Minima of alternating samples exclude the load of other programs.
    const ratio = Math.min(...unknown) / Math.min(...existing);
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.4);
  });

  test.each([
    ["not an address", '"email" must be a valid email'],
    ["a@b", '"email" length must be at least 5 characters long'],
    [undefined, '"email" is required'],
  ])("is refused for %s", async (email, message) => {
    const { status, body } = await ask(email);
    expect([status, body.message, body.fields]).toEqual([400, message, { email: message }]);
  });

  test("gets the same response the sixth time in an hour, without an email", async () => {
    const { email } = await createAccount(blog);
    const caller = callerOf(blog);
    const path = "/password/reset-password-link";
    for (const address of [email, "unknown@example.com"])
      for (let time = 0; time < 7; time++)
        expect(await caller("POST", path, { email: address })).toMatchObject(accepted);
    expect(await emailsTo(blog, email)).toHaveLength(5);
    expect(await call("GET", (await linkTo(blog, email, "reset")).api)).toMatchObject(valid);
  });

  test("M3: a stranger does not exhaust the owner's limit of emails", async () => {
    const { email } = await createAccount(blog);
    const [stranger, owner] = [callerOf(blog), callerOf(blog)];
    const path = "/password/reset-password-link";
    for (let time = 0; time < 7; time++) await stranger("POST", path, { email });
    expect(await emailsTo(blog, email)).toHaveLength(5);
    await owner("POST", path, { email });
    expect(await emailsTo(blog, email)).toHaveLength(6);
    // The limit over all origins is twenty an hour.
    for (let origin = 0; origin < 20; origin++) await callerOf(blog)("POST", path, { email });
    expect(await emailsTo(blog, email)).toHaveLength(20);
  });

  test("responds before the work for an existing address begins", async () => {
    const { email } = await createAccount(blog);
    let proceed: () => void = () => undefined;
    const waits = new Promise<void>((done) => (proceed = done));
    const db = new Proxy(blog.db, {
      get: (of: any, name) =>
        name === "$transaction" ? async (work: unknown) => (await waits, of.$transaction(work)) : of[name],
    });
    const accepted = requestPasswordReset(ctxOf(blog, { db }), { email });
    expect((await accepted).message).toMatch(/^Password reset link sent/);
    expect(await blog.db.email.count({ where: { recipient: email } })).toBe(0);
    proceed();
    expect(await emailsTo(blog, email)).toHaveLength(1);
  });

  test("invalidates the older link", async () => {
    const older = await createReset();
    await ask(older.email);
    await finishDeferredWork();
    expect(await call("GET", older.api)).toMatchObject(bad);
    expect(await call("POST", older.api, { password: NEW })).toMatchObject(bad);
    expect(await call("GET", (await linkTo(blog, older.email, "reset")).api)).toMatchObject(valid);
  });

  test("does not invalidate the verify link", async () => {
    const fields = { username: "Both links", email: "links@example.com", password: PASSWORD };
    await call("POST", "/auth/register", fields);
    await ask(fields.email);
    const { api } = await linkTo(blog, fields.email, "verify");
    expect((await call("GET", api)).body.message).toBe("Your account verified");
  });
});

describe("a reset link", () => {
  test("sets a password, ends every session and preview link, and notifies the owner", async () => {
    const maya = await blog.signUp();
    await blog.db.draft.create({
      data: { userId: maya.id, previewLink: { create: { token: "of a thief" } } },
    });
    await ask(maya.email);
    const { api } = await linkTo(blog, maya.email, "reset");
    expect(await call("GET", api)).toMatchObject(valid);
    expect(await call("POST", api, { password: NEW })).toMatchObject(done);
    expect(await blog.db.session.count({ where: { userId: maya.id } })).toBe(0);
    expect(await blog.db.previewLink.count()).toBe(0);
    const stale = await blog.rest("PUT", `/users/profile/${maya.id}`, maya.token, {});
    expect([stale.status, stale.body.message]).toEqual([401, "invalid token, access denied"]);
    expect([await signIn(maya.email, PASSWORD), await signIn(maya.email, NEW)]).toEqual([400, 200]);
    expect(await emailKindsTo(blog, maya.email)).toEqual(["reset", "passwordChanged"]);
  });

  test("verifies the account too", async () => {
    const { email, api } = await createReset({ verifiedAt: null });
    await call("POST", api, { password: NEW });
    expect(await signIn(email, NEW)).toBe(200);
  });

  test("works once", async () => {
    const { api, email } = await createReset();
    await call("POST", api, { password: NEW });
    expect(await call("GET", api)).toMatchObject(bad);
    expect(await call("POST", api, { password: "a third long secret" })).toMatchObject(bad);
    expect(await signIn(email, NEW)).toBe(200);
  });

  test("works for one of ten concurrent uses, whose password is set", async () => {
    const { api, email } = await createReset();
    const passwords = Array.from({ length: 10 }, (_, n) => `secret of number ${n}`);
    const responses = await Promise.all(passwords.map((password) => call("POST", api, { password })));
    const winner = responses.findIndex(({ status }) => status === 200);
    const losers = responses.filter((_response, n) => n !== winner);
    for (const loser of losers) expect(loser).toMatchObject(bad);
    expect(losers).toHaveLength(9);
    expect(await signIn(email, passwords[winner] ?? "")).toBe(200);
    expect(await emailKindsTo(blog, email)).toEqual(["reset", "passwordChanged"]);
  });

  test.each([
    ["short", { password: "short" }],
    ["a common one", { password: "Qwerty123" }],
    ["blank", { password: " ".repeat(10) }],
    ["missing", {}],
    ["beside an unknown key", { password: NEW, isAdmin: true }],
  ])("is not used up by a password that is %s", async (_what, fields) => {
    const { api, email } = await createReset();
    const refused = await call("POST", api, fields);
    expect([refused.status, refused.body.code]).toEqual([400, "BAD_USER_INPUT"]);
    expect(refused.body.message).not.toBe("invalid link");
    expect(await signIn(email, PASSWORD)).toBe(200);
    expect(await call("POST", api, { password: NEW })).toMatchObject(done);
  });

  test("is not used up by a password equal to the account's name or address", async () => {
    const { api, email } = await createReset({ username: "Own long name" });
    for (const password of ["OWN long NAME", email]) {
      const { body } = await call("POST", api, { password });
      expect(body.message).toBe('"password" must not be your username or email');
    }
    expect(await call("GET", api)).toMatchObject(valid);
  });

  test("is valid for an hour", async () => {
    const { userId, token } = await createReset();
    const { now } = blog.services;
    onTestFinished(() => void (blog.services.now = now));
    blog.services.now = after(HOUR + MINUTE);
    const late = ctxOf(blog);
    await expect(checkResetLink(late, userId, token)).rejects.toThrow("invalid link");
    await expect(resetPassword(late, userId, token, { password: NEW })).rejects.toThrow("invalid link");
    blog.services.now = after(HOUR - MINUTE);
    const inTime = ctxOf(blog);
    expect(await checkResetLink(inTime, userId, token)).toEqual(valid.body);
    expect(await resetPassword(inTime, userId, token, { password: NEW })).toEqual(done.body);
  });

  test("is refused when it is wrong, malformed, another user's or a verify link", async () => {
    const [mine, yours] = [await createReset(), await createReset({ verifiedAt: null })];
    await call("POST", "/auth/login", { email: yours.email, password: PASSWORD });
    const verify = await linkTo(blog, yours.email, "verify");
    for (const path of [
      `${mine.id}/${yours.token}`,
      `${yours.id}/${verify.token}`,
      `${mine.id}/${mine.token}x`,
      `${mine.id}/%00`,
      `12-34/${mine.token}`,
      `00000000-0000-0000-0000-000000000000/${mine.token}`,
    ]) {
      const api = `/password/reset-password/${path}`;
      expect([path, await call("GET", api)]).toMatchObject([path, bad]);
      expect([path, await call("POST", api, { password: NEW })]).toMatchObject([path, bad]);
    }
    expect(await signIn(mine.email, PASSWORD)).toBe(200);
  });

  test("stays valid when a session changes the password, since that may be an attacker's", async () => {
    const maya = await blog.signUp();
    await ask(maya.email);
    const { api } = await linkTo(blog, maya.email, "reset");
    await blog.rest("PUT", `/users/profile/${maya.id}`, maya.token, { password: NEW });
    expect(await call("POST", api, { password: `${NEW} of mine` })).toMatchObject({ status: 200 });
    expect(await blog.db.session.count({ where: { userId: maya.id } })).toBe(0);
  });

  test("is deleted with its account", async () => {
    const { api, id } = await createReset();
    await blog.db.user.delete({ where: { id } });
    expect(await call("POST", api, { password: NEW })).toMatchObject(bad);
  });
});

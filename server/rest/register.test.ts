import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { countHit, rateLimits } from "../domain/accounts/rate-limits.ts";
import {
  callerOf,
  createAccount,
  ctxOf,
  emailKindsTo,
  emailsTo,
  linkTo,
  VERIFY_MESSAGE,
} from "../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

const sent = { status: 201, body: { message: VERIFY_MESSAGE } };
const register = (fields: object | null, call = callerOf(blog)) => call("POST", "/auth/register", fields);

let count = 0;
const somebody = (traits: object = {}) => {
  count++;
  return {
    username: `Somebody ${count}`,
    email: `somebody${count}@example.com`,
    password: PASSWORD,
    ...traits,
  };
};

describe("a registration", () => {
  test("creates an unverified account, trimmed, and returns 201", async () => {
    const fields = { username: "  Maya Lin ", email: " Maya.Lin@Example.COM ", password: PASSWORD };
    expect(await register(fields)).toMatchObject(sent);
    const user = await blog.db.user.findUniqueOrThrow({ where: { email: "maya.lin@example.com" } });
    expect(user).toMatchObject({ username: "Maya Lin", isAdmin: false, verifiedAt: null, bio: null });
    expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("sends one link below the public URL, of which only the SHA-256 is stored", async () => {
    const fields = somebody();
    await register(fields);
    expect(await emailKindsTo(blog, fields.email)).toEqual(["verify"]);
    const user = await blog.db.user.findUniqueOrThrow({ where: { email: fields.email } });
    const { url, token } = await linkTo(blog, fields.email, "verify");
    expect(url).toBe(`http://blog.test/users/${user.id}/verify/${token}`);
    expect(token).toMatch(/^[\w-]{43}$/);
    const [row, ...others] = await blog.db.mailToken.findMany({ where: { userId: user.id } });
    expect(others).toEqual([]);
    expect(row?.purpose).toBe("VERIFY");
    expect(Buffer.from(row?.tokenHash ?? [])).toEqual(createHash("sha256").update(token).digest());
  });

  test("links to the public URL whatever the Host header", async () => {
    const fields = somebody();
    const headers = { host: "evil.test", "x-forwarded-host": "evil.test", origin: "http://evil.test" };
    await callerOf(blog)("POST", "/auth/register", fields, headers);
    const [email] = await emailsTo(blog, fields.email);
    expect(email?.text).toContain("http://blog.test/users/");
    expect(`${email?.text} ${email?.html}`).not.toContain("evil.test");
  });

  test.each([
    ["with punctuation", "Zoë O’Brien <b>"],
    ["in another script", "李 小龍"],
    ["of emoji", "😀".repeat(50)],
    ["whose key is eighteen times as long", "ﷺ".repeat(100)],
  ])("accepts a name %s", async (_how, username) => {
    const fields = somebody({ username });
    expect(await register(fields)).toMatchObject(sent);
    expect(await blog.db.user.count({ where: { username } })).toBe(1);
  });

  test("does not trim a password", async () => {
    const fields = somebody({ password: "  two blanks around  " });
    await register(fields);
    await callerOf(blog)("GET", (await linkTo(blog, fields.email, "verify")).api);
    const login = (password: string) =>
      callerOf(blog)("POST", "/auth/login", { email: fields.email, password });
    expect((await login(fields.password.trim())).status).toBe(400);
    expect((await login(fields.password)).status).toBe(200);
  });
});

const tooLong = (field: string, limit: number) =>
  `"${field}" length must be less than or equal to ${limit} characters long`;
const tooShort = (field: string, limit: number) =>
  `"${field}" length must be at least ${limit} characters long`;
const invalid = (field: string) => `"${field}" contains invalid characters`;
const common = '"password" is too common, please choose another';
const ownName = '"password" must not be your username or email';

describe("a registration is refused", () => {
  test.each<[string, object, string]>([
    ["a short name", { username: " a " }, tooShort("username", 2)],
    ["a long name", { username: "a".repeat(101) }, tooLong("username", 100)],
    ["a NUL in a name", { username: "a\0b" }, invalid("username")],
    ["half a surrogate pair in a name", { username: "a\ud800" }, invalid("username")],
    ["no address", { email: undefined }, '"email" is required'],
    ["a short address", { email: "a@b" }, tooShort("email", 5)],
    ["a long address", { email: `${"a".repeat(95)}@ex.com` }, tooLong("email", 100)],
    ["an invalid address", { email: "not an address" }, '"email" must be a valid email'],
    ["a header in an address", { email: "a@b.test\r\nBcc: c@d.test" }, '"email" must be a valid email'],
    ["a short password", { password: "seven c" }, tooShort("password", 8)],
    ["a long password", { password: "a".repeat(129) }, tooLong("password", 128)],
    ["a blank password", { password: " ".repeat(12) }, '"password" must not consist of blanks only'],
    ["a common password", { password: "password123" }, common],
    ["a common password in other case", { password: "PassWord1" }, common],
    ["a NUL in a password", { password: "long enough\0" }, invalid("password")],
    ["the name as password", { username: "Long Enough", password: " long ENOUGH" }, ownName],
    ["the address as password", { email: "me@example.com", password: "ME@example.com" }, ownName],
    ["an unknown key", { isAdmin: true }, '"isAdmin" is not allowed'],
    ["a column of the row", { verifiedAt: "2020-01-01" }, '"verifiedAt" is not allowed'],
  ])("for %s", async (_name, traits, message) => {
    const before = await blog.db.user.count();
    const { status, body } = await register(somebody(traits));
    const [field = ""] = /\w+/.exec(message) ?? [];
    expect({ status, body }).toEqual({
      status: 400,
      body: { message, code: "BAD_USER_INPUT", fields: { [field]: message } },
    });
    expect(await blog.db.user.count()).toBe(before);
  });

  test.each([[{}], [null]])("with an error for every field for the body %j", async (nothing) => {
    const { status, body } = await register(nothing);
    expect(status).toBe(400);
    expect(body.message).toBe('"username" is required');
    expect(body.fields).toEqual({
      username: '"username" is required',
      email: '"email" is required',
      password: '"password" is required',
    });
  });

  test("after thirty an hour from one IP address, with Retry-After in whole seconds", async () => {
    const origin = "192.0.2.30";
    const rule = rateLimits.registrations(origin);
    for (let time = 0; time < 29; time++) await countHit(ctxOf(blog, { origin }), rule);
    const call = callerOf(blog, origin);
    expect((await register(somebody(), call)).status).toBe(201);
    const refused = await register(somebody(), call);
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(Number(refused.headers["retry-after"])).toSatisfy(
      (wait) => Number.isInteger(wait) && wait > 3_500,
    );
    expect((await register(somebody())).status).toBe(201);
  });
});

test("a name taken in other case is 409, and sends no email", async () => {
  await createAccount(blog, { username: "José Núñez" });
  const fields = somebody({ username: " JOSÉ nÚñEZ " });
  const { status, body } = await register(fields);
  expect({ status, body }).toEqual({
    status: 409,
    body: { message: "username already exist", code: "CONFLICT" },
  });
  expect(await emailsTo(blog, fields.email)).toEqual([]);
});

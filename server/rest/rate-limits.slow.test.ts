import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { login } from "../domain/accounts/sessions.ts";
import { addHits, countHit, rateLimits, rulesOf, rulesOfCaller } from "../domain/accounts/rate-limits.ts";
import {
  after,
  callerOf,
  createAccount,
  ctxOf,
  HOUR,
  emailsTo,
  MINUTE,
  type Caller,
} from "../testing/accounts.ts";
import { originOf } from "../http/origin.ts";
import { PASSWORD, startTestApp, type TestResponse, type TestApp } from "../testing/app.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});
afterEach(() => {
  Object.assign(blog.services, { rateLimitsEnabled: true });
});

const signIn = (call: Caller, email: string, password = PASSWORD, headers = {}) =>
  call("POST", "/auth/login", { email, password }, headers);

async function fail(call: Caller, email: string, times: number): Promise<number[]> {
  const statuses = [];
  for (let time = 0; time < times; time++) statuses.push((await signIn(call, email, "wrong")).status);
  return statuses;
}

function expectTooMany({ status, body, headers }: TestResponse) {
  expect([status, body.code]).toEqual([429, "RATE_LIMITED"]);
  expect(body.message).toMatch(/^too many attempts, please try again in \d+ minutes$/);
  expect(headers["retry-after"]).toMatch(/^\d+$/);
  expect(Number(headers["retry-after"])).toBeGreaterThan(3_500);
  expect(Number(headers["retry-after"])).toBeLessThanOrEqual(3_600);
}

test("300 sign-ins of one account from one IP address block further ones there", async () => {
  const { email } = await createAccount(blog);
  const call = callerOf(blog);
  expect((await signIn(call, email)).status).toBe(200);
  await blog.db.throttle.updateMany({
    where: { key: { startsWith: `sign-in ${email}` } },
    data: { hits: 299 },
  });
  const { status, headers } = await signIn(call, email);
  expect([status, headers["ratelimit-policy"]]).toEqual([200, '"sign-ins";q=300;w=3600']);
  expectTooMany(await signIn(call, email));
  expect((await signIn(callerOf(blog), email)).status).toBe(200);
});

describe("ten wrong passwords for one account from one IP address", () => {
  test("block further logins from there, but not the owner's from elsewhere", async () => {
    const { email } = await createAccount(blog);
    const thief = callerOf(blog);
    expect(await fail(thief, email, 10)).toEqual(Array(10).fill(400));
    expectTooMany(await signIn(thief, email, "wrong"));
    expectTooMany(await signIn(thief, email));
    expect((await signIn(callerOf(blog), email)).status).toBe(200);
    expectTooMany(await signIn(thief, email));
  });

  test("are shown in RateLimit headers only when they block, for unknown accounts alike", async () => {
    const { email } = await createAccount(blog);
    for (const address of [email, "somebody@example.com"]) {
      const call = callerOf(blog);
      for (let left = 99; left > 90; left--) {
        const { headers } = await signIn(call, address, "wrong");
        expect(headers["ratelimit-policy"]).toBe('"failed-sign-ins";q=100;w=3600');
        expect(headers["ratelimit-remaining"]).toBe(String(left));
      }
      await fail(call, address, 1);
      const { status, headers } = await signIn(call, address, "wrong");
      expect([status, headers["ratelimit-policy"]]).toEqual([429, '"wrong-passwords";q=10;w=3600']);
    }
    expect((await signIn(callerOf(blog), email)).headers["ratelimit-remaining"]).toBe("100");
  });

  test("show others of the IP address nothing of the owner's sign-in from there", async () => {
    const { email } = await createAccount(blog);
    const headersAfter = async (isOwnerThere: boolean) => {
      const call = callerOf(blog);
      await fail(call, email, 3);
      if (isOwnerThere) expect((await signIn(call, email)).status).toBe(200);
      const { headers } = await signIn(call, email, "wrong");
      return ["policy", "limit", "remaining"].map((name) => headers[`ratelimit-${name}`]);
    };
    expect(await headersAfter(true)).toEqual(await headersAfter(false));
  });

  test("do not affect other accounts", async () => {
    const [mine, yours] = [await createAccount(blog), await createAccount(blog)];
    const call = callerOf(blog);
    await fail(call, mine.email, 10);
    expect((await signIn(call, yours.email)).status).toBe(200);
  });

  test("are counted regardless of the email address's case", async () => {
    const { email } = await createAccount(blog);
    const call = callerOf(blog);
    await fail(call, email, 5);
    await fail(call, ` ${email.toUpperCase()} `, 5);
    expectTooMany(await signIn(call, email));
  });

  test("B2: are counted for all networks of one IPv6 subscriber, apart from the owner's", async () => {
    const { email } = await createAccount(blog);
    const tryFrom = (n: number) => signIn(callerOf(blog, `2001:db8:7:${n.toString(16)}::1`), email, "wrong");
    const statuses: number[] = [];
    for (let batch = 0; batch < 4; batch++) {
      const tries = Array.from({ length: 15 }, (_, n) => tryFrom(batch * 15 + n));
      statuses.push(...(await Promise.all(tries)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect((await signIn(callerOf(blog, "2001:db8:7:ffff::1"), email)).status).toBe(429);
    expect((await signIn(callerOf(blog, "2001:db8:8:1::1"), email)).status).toBe(200);
  });

  test("B16: include guesses that match a pending registration", async () => {
    const { email } = await createAccount(blog);
    const call = callerOf(blog);
    for (let n = 0; n < 12; n++) {
      const guess = {
        username: `Guess ${n} of ${email}`.slice(0, 60),
        email,
        password: `a guess of mine ${n}`,
      };
      expect((await callerOf(blog)("POST", "/auth/register", guess)).status).toBe(201);
    }
    const responses = [];
    for (let n = 0; n < 12; n++) responses.push(await signIn(call, email, `a guess of mine ${n}`));
    expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(400), 429, 429]);
    expect((await signIn(call, email)).status).toBe(429);
  });

  test("B2: leave room in the queue for a new origin", async () => {
    const { email } = await createAccount(blog);
    const flood = callerOf(blog);
    const tries = Promise.all(Array.from({ length: 230 }, () => signIn(flood, email, "wrong")));
    expect((await signIn(callerOf(blog), email)).status).toBe(200);
    await tries;
  });

  test("are counted for unknown accounts, too, so that the responses do not differ", async () => {
    const call = callerOf(blog);
    expect(await fail(call, "nobody@example.com", 11)).toEqual([...Array(10).fill(400), 429]);
  });

  test("are counted when they are concurrent", async () => {
    const { email } = await createAccount(blog);
    const call = callerOf(blog);
    const responses = await Promise.all(Array.from({ length: 20 }, () => signIn(call, email, "wrong")));
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10);
    expectTooMany(await signIn(call, email));
  });

  test("expire after an hour", async () => {
    const { email } = await createAccount(blog);
    await fail(callerOf(blog, "192.0.2.1"), email, 10);
    const at = (milliseconds: number) => ctxOf(blog, { origin: "192.0.2.1", now: after(milliseconds) });
    const fields = { email, password: PASSWORD };
    await expect(login(at(HOUR - MINUTE), fields)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect((await login(at(HOUR + MINUTE), fields)).profile.email).toBe(email);
  });

  test("are reset by the right password", async () => {
    const { email } = await createAccount(blog);
    const call = callerOf(blog);
    await fail(call, email, 9);
    expect((await signIn(call, email)).status).toBe(200);
    expect(await fail(call, email, 10)).toEqual(Array(10).fill(400));
  });

  test("are counted in GraphQL, too, where the first failure ends the operation", async () => {
    const { email } = await createAccount(blog);
    const tries = Array.from(
      { length: 12 },
      (_, n) => `a${n}: login(input: { email: "${email}", password: "guess ${n}" }) { token }`,
    );
    const codes = [];
    for (let time = 0; time < 11; time++) {
      const { body } = await blog.gql(`mutation { ${tries.join(" ")} }`);
      codes.push(...body.errors.map(({ extensions }: any) => extensions.code));
    }
    expect(codes).toEqual([...Array(10).fill("BAD_USER_INPUT"), "RATE_LIMITED"]);
  });
});

describe("a forged origin", () => {
  test("has no effect: X-Forwarded-For and similar headers are ignored", async () => {
    const { email } = await createAccount(blog);
    const call = callerOf(blog);
    const responses = [];
    for (let time = 0; time < 11; time++) {
      const forged = `203.0.113.${time}`;
      responses.push(
        await signIn(call, email, "wrong", {
          "x-forwarded-for": forged,
          "x-real-ip": forged,
          forwarded: `for=${forged}`,
        }),
      );
    }
    expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(400), 429]);
  });
});

describe("a hundred failed logins from one IP address", () => {
  test("block all logins from there, and none from elsewhere", async () => {
    const origin = "192.0.2.100";
    const { email } = await createAccount(blog);
    const rule = rateLimits.failedSignIns(origin);
    for (let time = 0; time < 99; time++) await countHit(ctxOf(blog, { origin }), rule);
    const call = callerOf(blog, origin);
    expect((await signIn(call, email)).status).toBe(200);
    expect((await signIn(call, "somebody@example.com", "wrong")).status).toBe(400);
    expectTooMany(await signIn(call, email));
    expectTooMany(await signIn(call, "anybody@example.com"));
    expect((await signIn(callerOf(blog), email)).status).toBe(200);
  });

  test("R23B: that pages of other sites have sent block those of other sites only", async () => {
    const origin = "192.0.2.102";
    const { email } = await createAccount(blog);
    const rules = rulesOfCaller({ origin, isCrossSite: true }, rateLimits.failedSignIns);
    for (let time = 0; time < 99; time++) await countHit(ctxOf(blog, { origin }), rules[0]!);
    const call = callerOf(blog, origin);
    const crossSite = { "sec-fetch-site": "cross-site" };
    expect((await signIn(call, "somebody@example.com", "wrong", crossSite)).status).toBe(400);
    expectTooMany(await signIn(call, email, PASSWORD, crossSite));
    expect((await signIn(call, email)).status).toBe(200);
    expect((await signIn(call, email, PASSWORD, { "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test("are counted over all accounts", async () => {
    const origin = "192.0.2.101";
    await fail(callerOf(blog, origin), "first@example.com", 2);
    await fail(callerOf(blog, origin), "second@example.com", 2);
    const { key } = rateLimits.failedSignIns(origin);
    expect(await blog.db.throttle.findUnique({ where: { key } })).toMatchObject({ hits: 4 });
  });

  test("a thousand from one IPv6 /48 block the whole of it", async () => {
    const [first, second] = ["2001:db8:a7:1::1", "2001:db8:a7:2::1"];
    const { email } = await createAccount(blog);
    const [, ofNetwork] = rulesOf(rateLimits.failedSignIns, originOf(first));
    expect(ofNetwork).toMatchObject({ limit: 1_000 });
    await addHits(ctxOf(blog), ofNetwork!, 999);
    expect((await signIn(callerOf(blog, first), "somebody@example.com", "wrong")).status).toBe(400);
    expectTooMany(await signIn(callerOf(blog, second), email));
    expect((await signIn(callerOf(blog, "2001:db8:a8::1"), email)).status).toBe(200);
  });
});

test("each field of a GraphQL operation is counted", async () => {
  const { email } = await createAccount(blog);
  const fields = Array.from(
    { length: 7 },
    (_, n) => `a${n}: requestPasswordReset(email: "${email}") { message }`,
  );
  const { body } = await blog.gql(`mutation { ${fields.join(" ")} }`);
  expect(body.errors).toBeUndefined();
  expect(await emailsTo(blog, email)).toHaveLength(5);
});

describe("rate limits", () => {
  test("survive a restart: they are rows, without passwords", async () => {
    const { email } = await createAccount(blog);
    await fail(callerOf(blog, "192.0.2.7"), email, 3);
    const rows = await blog.db.throttle.findMany({ where: { key: { endsWith: "192.0.2.7" } } });
    expect(rows.map(({ key, hits }) => [key, hits]).sort()).toEqual([
      [`password ${email} 192.0.2.7`, 3],
      [`password ${email} from 192.0.2.7`, 3],
      ["sign-in 192.0.2.7", 3],
    ]);
    expect(JSON.stringify(rows)).not.toContain("wrong");
  });

  test("are disabled by RATE_LIMITS=off", async () => {
    const { email } = await createAccount(blog);
    const call = callerOf(blog);
    expect((await fail(call, email, 11)).at(-1)).toBe(429);
    Object.assign(blog.services, { rateLimitsEnabled: false });
    expect(await fail(call, email, 2)).toEqual([400, 400]);
    expect((await signIn(call, email)).status).toBe(200);
    for (let time = 0; time < 7; time++)
      expect((await call("POST", "/password/reset-password-link", { email })).status).toBe(200);
    expect(await emailsTo(blog, email)).toHaveLength(7);
  });
});

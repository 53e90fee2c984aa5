import { beforeAll, describe, expect, test, vi } from "vitest";
import {
  after,
  callerOf,
  createAccount,
  DAY,
  emailKindsTo,
  linkTo,
  VERIFY_MESSAGE,
} from "../../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../../testing/app.ts";
import { finishDeferredWork } from "../deferred-work.ts";
import { removeUnverified } from "./accounts.ts";

let blog: TestApp;
const statements: string[] = [];
beforeAll(async () => {
  blog = await startTestApp({}, { observers: [(text) => (statements.push(text), () => undefined)] });
});

const call = (...args: Parameters<ReturnType<typeof callerOf>>) => callerOf(blog)(...args);
const register = (username: string, email: string, password = "a stranger's secret") =>
  call("POST", "/auth/register", { username, email, password });
const signIn = (email: string, password: string) => call("POST", "/auth/login", { email, password });

let count = 0;
async function probe(email: string) {
  const n = ++count;
  const [first, second] = [`Stranger ${n}`, `Another ${n}`];
  const responses = [
    await register(first, email),
    await register(first, email),
    await register(first, `else${n}@example.org`),
    await register(second, email, "a second stranger's secret"),
    await signIn(email, "a stranger's secret"),
    await signIn(email, "a second stranger's secret"),
    await signIn(email, "nobody's secret"),
    await register(first.toUpperCase(), `third${n}@example.org`),
  ];
  return responses.map(({ status, body }) => [status, body.message]);
}

describe("H6: a sequence of requests does not reveal who has an account", () => {
  test("responses for a taken address equal those for a free one", async () => {
    const { email } = await createAccount(blog);
    const [taken, free] = [await probe(email), await probe("free@example.org")];
    expect(taken).toEqual(free);
    expect(free).toEqual([
      [201, VERIFY_MESSAGE],
      [409, "username already exist"],
      [409, "username already exist"],
      [201, VERIFY_MESSAGE],
      [400, VERIFY_MESSAGE],
      [400, VERIFY_MESSAGE],
      [400, "invalid email or password"],
      [409, "username already exist"],
    ]);
  });

  test("R25B: a rename to the name of either registration runs the same statements", async () => {
    const { email } = await createAccount(blog);
    await register("Name of taken", email);
    await register("Name of free", "free-three@example.org");
    const { id, token } = await blog.signUp();
    await finishDeferredWork();
    const ran: string[][] = [];
    for (const username of ["Name of taken", "Name of free"]) {
      statements.length = 0;
      const { status, body } = await blog.rest("PUT", `/users/profile/${id}`, token, { username });
      expect([status, body.message]).toEqual([409, "username already exist"]);
      ran.push([...statements]);
    }
    expect(ran[0]).toEqual(ran[1]);
    expect(ran[0]!.join()).toContain("PendingRegistration");
  });

  test("responses to concurrent registrations are equal too", async () => {
    const { email } = await createAccount(blog);
    for (const address of [email, "free-too@example.org"]) {
      const n = ++count;
      const passwords = [1, 2, 3].map((each) => `secret of stranger ${n} ${each}`);
      await Promise.all(passwords.map((each, index) => register(`Many ${n} ${index}`, address, each)));
      for (const each of passwords)
        expect((await signIn(address, each)).body.message, address).toBe(VERIFY_MESSAGE);
    }
  });

  test("one of two spellings of a name is taken by concurrent registrations, whoever has an account", async () => {
    const { email } = await createAccount(blog);
    for (const address of [email, "free-three@example.org"])
      for (let round = 0; round < 5; round++) {
        const n = ++count;
        const responses = await Promise.all([
          register(`Fjor\u00d0${n}`, `own${n}@example.net`),
          register(`fjor\u00f0${n}`, address),
        ]);
        expect(responses.map(({ status }) => status).sort(), address).toEqual([201, 409]);
      }
  });

  test("no cache is cleared by one registration and left alone by another", async () => {
    const { email } = await createAccount(blog);
    const aWeekLater = { ...blog.services, now: after(8 * DAY) };
    await removeUnverified(aWeekLater);
    const client = await blog.pool.connect();
    const notifications: (string | undefined)[] = [];
    client.on("notification", ({ payload }) => notifications.push(payload));
    await client.query("LISTEN blog_changes");
    for (const address of [email, "third@example.org"]) {
      await register(`Visitor ${++count}`, address);
      await client.query("SELECT");
      expect(notifications.splice(0), address).toEqual([]);
      await removeUnverified(aWeekLater);
      await client.query("SELECT");
      expect(notifications.splice(0), address).toEqual([]);
    }
    await client.query("UNLISTEN *");
    client.release();
  });

  test("sign-ins count towards the email quota in both cases", async () => {
    const { email } = await createAccount(blog);
    const quotas = [];
    for (const [index, address] of [email, "free-three@example.org"].entries()) {
      const caller = callerOf(blog, `192.0.2.${150 + index}`);
      const fields = { username: `Quota ${index}`, email: address, password: "a stranger's secret" };
      await caller("POST", "/auth/register", fields);
      for (let n = 0; n < 7; n++)
        await caller("POST", "/auth/login", { email: address, password: fields.password });
      const rows = await blog.db.throttle.findMany({
        where: { key: { contains: `192.0.2.${150 + index}` } },
      });
      quotas.push(
        rows.map(({ key, hits }) => [key.replace(address, "").replace(/192[\d.]+/, ""), hits]).sort(),
      );
    }
    expect(quotas[0]).toEqual(quotas[1]);
  });

  test("a pending registration's password does not reset the limit on wrong passwords", async () => {
    const { email } = await createAccount(blog);
    const thief = callerOf(blog);
    await register("Guesser", email);
    const statuses = [];
    for (let n = 0; n < 14; n++) {
      const password = n % 4 === 3 ? "a stranger's secret" : `guess number ${n}`;
      statuses.push((await thief("POST", "/auth/login", { email, password })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test("the owner can still sign in and is notified by email", async () => {
    const { email } = await createAccount(blog);
    await register("Somebody", email);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
    expect(await emailKindsTo(blog, email)).toEqual(["accountExists"]);
    expect(await blog.db.user.count({ where: { email } })).toBe(1);
  });

  test("R29B: the owner's reset ends the passwords of registrations with the address, and frees no name", async () => {
    const { email } = await createAccount(blog);
    const unverified = "free-four@example.org";
    const names = ["Resets taken", "Resets free", "Resets free again"];
    const addresses = [email, unverified, unverified];
    for (const [index, name] of names.entries()) await register(name, addresses[index] ?? "");
    for (const address of [email, unverified]) {
      await call("POST", "/password/reset-password-link", { email: address });
      const { api } = await linkTo(blog, address, "reset");
      expect((await call("POST", api, { password: "the owner's new secret" })).status).toBe(200);
    }
    for (const address of [email, unverified])
      expect((await signIn(address, "a stranger's secret")).body.message).toBe("invalid email or password");
    for (const [index, name] of names.entries())
      expect((await register(name, `fifth${index}@example.org`)).status, name).toBe(409);
  });

  test("a pending registration's name is reserved against renames for a week", async () => {
    const { email } = await createAccount(blog);
    await register("Reserved", email);
    const noor = await blog.signUp();
    const rename = () => blog.rest("PUT", `/users/profile/${noor.id}`, noor.token, { username: "reserved" });
    expect((await rename()).status).toBe(409);
    await removeUnverified({ ...blog.services, now: after(8 * DAY) });
    expect((await rename()).status).toBe(200);
  });
});

test("R28B: names are freed alike, in batches by the time of registration", async () => {
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000);
  const of = (kind: string, n: number) => ({
    ...{ username: `${kind} ${n}`, usernameKey: `${kind} ${n}`, confusableKey: `${kind}${n}` },
    ...{ email: `${kind}${n}@example.net`, passwordHash: "none", createdAt: at(n) },
  });
  const numbers = Array.from({ length: 1_100 }, (_, n) => n);
  await blog.db.user.createMany({ data: numbers.map((n) => ({ ...of("free", n), verifiedAt: null })) });
  await blog.db.pendingRegistration.createMany({ data: numbers.map((n) => of("taken", n)) });
  const rest = async () => [
    await blog.db.user.count({ where: { email: { endsWith: "@example.net" } } }),
    await blog.db.pendingRegistration.count({ where: { email: { endsWith: "@example.net" } } }),
  ];
  const found: number[][] = [];
  const transact = blog.db.$transaction.bind(blog.db) as (...call: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(blog.db, "$transaction").mockImplementation((async (...call: unknown[]) => {
    const result = await transact(...call);
    found.push(await rest());
    return result;
  }) as never);
  await removeUnverified({ ...blog.services, now: after(8 * DAY) });
  spy.mockRestore();
  expect(found[0]?.[0]).toBe(found[0]?.[1]);
  expect(found[0]?.[0]).toBeGreaterThan(0);
  expect(found.at(-1)).toEqual([0, 0]);
});

import { beforeAll, describe, expect, test } from "vitest";
import {
  after,
  callerOf,
  createAccount,
  ctxOf,
  DAY,
  HOUR,
  emailKindsTo,
  emailsTo,
  MINUTE,
  VERIFY_MESSAGE,
} from "../../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../../testing/app.ts";
import { createComment, createPost } from "../../testing/factories.ts";
import { createAdmin, register, removeUnverified } from "./accounts.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

const open = (fields: { username: string; email: string; password?: string }) =>
  callerOf(blog)("POST", "/auth/register", { password: PASSWORD, ...fields });

describe("registering with the address of an account", () => {
  test("gives the usual response and notifies the owner by email", async () => {
    const owner = await createAccount(blog, { username: "Maya", email: "maya@example.com" });
    const fresh = await open({ username: "Somebody new", email: "new@example.com" });
    const taken = await open({ username: "Somebody else", email: " MAYA@Example.com" });
    expect(taken.status).toBe(201);
    expect(taken.body).toEqual(fresh.body);
    expect(Object.keys(taken.headers)).toEqual(Object.keys(fresh.headers));
    const [email, ...others] = await emailsTo(blog, "maya@example.com");
    expect(others).toEqual([]);
    expect(email).toMatchObject({ kind: "accountExists", subject: "You already have an account at Blog" });
    expect(email?.text).toContain("Hello Maya,");
    expect(email?.text).toContain("http://blog.test/login");
    expect(email?.text).not.toContain("Somebody else");
    expect(await blog.db.user.findUnique({ where: { id: owner.id } })).toEqual(owner);
    expect(await blog.db.user.count({ where: { username: "Somebody else" } })).toBe(0);
    expect(await blog.db.mailToken.count({ where: { userId: owner.id } })).toBe(0);
  });

  test("takes as long as any other registration", async () => {
    const { email } = await createAccount(blog);
    const fastest = { fresh: Infinity, taken: Infinity };
    for (let time = 0; time < 5; time++)
      for (const kind of ["fresh", "taken"] as const) {
        const begun = performance.now();
        await open({
          username: `Timed ${kind} ${time}`,
          email: kind === "taken" ? email : `timed${time}@example.com`,
        });
        fastest[kind] = Math.min(fastest[kind], performance.now() - begun);
      }
    expect(fastest.taken).toBeGreaterThan(fastest.fresh / 3);
    expect(fastest.taken).toBeLessThan(fastest.fresh * 3);
  });

  test("sends the owner at most five emails an hour, with the same response", async () => {
    const { email } = await createAccount(blog);
    const origin = "192.0.2.77";
    const caller = callerOf(blog, origin);
    const responses = [];
    for (let time = 0; time < 7; time++) {
      const body = { username: `Again ${time}`, email, password: PASSWORD };
      responses.push(await caller("POST", "/auth/register", body));
    }
    expect(responses.map(({ status }) => status)).toEqual(Array(7).fill(201));
    expect(await emailKindsTo(blog, email)).toEqual(Array(5).fill("accountExists"));
    const fields = { username: "Again later", email, password: PASSWORD };
    await register(ctxOf(blog, { origin, now: after(HOUR + MINUTE) }), fields);
    expect(await emailsTo(blog, email)).toHaveLength(6);
  });
});

describe("concurrent registrations", () => {
  test("of one name: one account, and 409 without an email for the other", async () => {
    const emails = ["first@example.com", "second@example.com"];
    const responses = await Promise.all(
      emails.map((email, index) => open({ username: index ? "one NAME" : "One name", email })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.message).toBe("username already exist");
    const users = await blog.db.user.findMany({ where: { usernameKey: "one name" } });
    expect(users).toHaveLength(1);
    const sent = await blog.db.email.findMany({ where: { recipient: { in: emails } } });
    expect(sent.map(({ recipient }) => recipient)).toEqual([users[0]?.email]);
  });

  test("of one address: one account, the same response and two emails", async () => {
    const responses = await Promise.all([
      open({ username: "Left hand", email: "both@example.com" }),
      open({ username: "Right hand", email: "BOTH@example.com" }),
    ]);
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: 201, body: { message: VERIFY_MESSAGE } });
    expect(await blog.db.user.count({ where: { usernameKey: { in: ["left hand", "right hand"] } } })).toBe(1);
    expect((await emailKindsTo(blog, "both@example.com")).sort()).toEqual(["accountExists", "verify"]);
  });

  test("ten of one name: one account", async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => open({ username: "Crowded", email: `crowd${n}@example.com` })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await blog.db.user.count({ where: { usernameKey: "crowded" } })).toBe(1);
  });
});

describe("an account that is unverified for seven days", () => {
  test("is deleted, which frees its name and address", async () => {
    const fields = { username: "Una", email: "una@example.com" };
    await open(fields);
    expect(await removeUnverified({ ...blog.services, now: after(7 * DAY - MINUTE) })).toBe(0);
    expect((await open({ ...fields, email: "other@example.com" })).status).toBe(409);
    expect(await removeUnverified({ ...blog.services, now: after(7 * DAY + MINUTE) })).toBeGreaterThanOrEqual(
      1,
    );
    expect(await blog.db.user.count({ where: { email: fields.email } })).toBe(0);
    expect((await open(fields)).status).toBe(201);
    expect((await blog.db.user.findUnique({ where: { email: fields.email } }))?.username).toBe("Una");
  });

  test("does not affect verified accounts of any age", async () => {
    const createdAt = new Date(Date.now() - 365 * DAY);
    const old = await createAccount(blog, { createdAt });
    const unverified = await createAccount(blog, { createdAt, verifiedAt: null });
    const post = await createPost(blog.db, { userId: old.id });
    await createComment(blog.db, { postId: post.id, userId: old.id });
    expect(await removeUnverified(blog.services)).toBe(1);
    expect(await blog.db.user.count({ where: { id: unverified.id } })).toBe(0);
    expect(await blog.db.comment.count({ where: { userId: old.id } })).toBe(1);
  });
});

describe("the admin of the environment variables", () => {
  test("is created once, verified and with a name that does not reveal the address", async () => {
    await createAccount(blog, { username: "admin" });
    const fields = { email: "Boss@example.com", password: PASSWORD };
    expect(await createAdmin(blog.services, fields)).toBe(true);
    const admin = await blog.db.user.findUniqueOrThrow({ where: { email: "boss@example.com" } });
    expect(admin).toMatchObject({ isAdmin: true, username: expect.stringMatching(/^Admin \d{4}$/) });
    expect(admin.verifiedAt).not.toBeNull();
    expect(await createAdmin(blog.services, fields)).toBe(false);
    const { body } = await callerOf(blog)("POST", "/auth/login", fields);
    expect(body).toMatchObject({ _id: admin.id, isAdmin: true });
  });
});

import { createHash } from "node:crypto";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";
import { blankPicture, createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
});
afterEach(() => {
  blog.services.now = () => new Date();
});

const DAY = 24 * 60 * 60 * 1000;
const login = (body?: object | null) => blog.rest("POST", "/auth/login", null, body);
const signIn = async (email = maya.email) =>
  (await login({ email, password: PASSWORD })).body.token as string;
const travel = (milliseconds: number) => {
  blog.services.now = () => new Date(Date.now() + milliseconds);
};
/** Requires a token, and changes nothing. */
const probe = async (token: string | null) => {
  const { status, body } = await blog.rest("PUT", "/posts/like/12-34", token);
  return [status, body.message];
};
const valid = [400, "invalid id"];
const ended = [401, "invalid token, access denied"];

describe("POST /auth/login", () => {
  test("returns the session in the shape that clients store", async () => {
    const { status, body, headers } = await login({ email: maya.email, password: PASSWORD });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ _id: maya.id, id: maya.id, username: "Maya", email: "maya@example.com", isAdmin: false },
      profilePhoto: { url: "http://blog.test/default-photo.png", publicId: "default" },
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["set-cookie"]).toBeUndefined();
    expect(await probe(body.token)).toEqual(valid);
  });

  test("includes an admin's role and an uploaded photo", async () => {
    const photo = blankPicture();
    const ada = await blog.signUp({ isAdmin: true, photo });
    const { body } = await login({ email: ada.email, password: PASSWORD });
    expect(body.isAdmin).toBe(true);
    expect(body.profilePhoto).toEqual({
      ...{ publicId: photo.id, url: expect.stringMatching(/^http:\/\/blog\.test\/media\/.+\/picture\.jpg$/) },
    });
  });

  test("ignores case and blanks of email addresses, but not of passwords", async () => {
    expect((await login({ email: "  MAYA@Example.COM ", password: PASSWORD })).status).toBe(200);
    const { email } = await blog.signUp();
    for (const password of [` ${PASSWORD}`, `${PASSWORD} `, PASSWORD.toUpperCase()])
      expect((await login({ email, password })).status).toBe(400);
  });

  test("returns the same error for an unknown address, a wrong and a blank password", async () => {
    const { email } = await blog.signUp();
    for (const sent of [
      { email: "nobody@example.com", password: PASSWORD },
      { email: "no address at all", password: PASSWORD },
      { email, password: "wrong" },
      { email, password: "        " },
      { email, password: "a\0b" },
    ])
      expect(await login(sent)).toMatchObject({
        status: 400,
        body: { message: "invalid email or password" },
      });
  });

  test("takes equally long for an unknown address and a wrong password", async () => {
    const timeOf = async (email: string) => {
      const times: number[] = [];
      for (let time = 0; time < 4; time++) {
        const start = performance.now();
        await login({ email, password: "wrong" });
        times.push(performance.now() - start);
      }
      // The minimum excludes the load of other programs.
      return Math.min(...times);
    };
    const ratio = (await timeOf("nobody@example.com")) / (await timeOf((await blog.signUp()).email));
    expect(ratio).toBeGreaterThan(0.3);
    expect(ratio).toBeLessThan(3);
  });

  test("requires a verified address only after the right password", async () => {
    const una = await blog.signUp({ verifiedAt: null });
    expect(una.token).toBeUndefined();
    const right = await login({ email: una.email, password: PASSWORD });
    expect([right.status, right.body.message]).toEqual([
      400,
      "We sent to you an email, please verify your email address",
    ]);
    const wrong = await login({ email: una.email, password: "wrong" });
    expect([wrong.status, wrong.body.message]).toEqual([400, "invalid email or password"]);
  });

  test("lists missing and unknown fields, and creates no session", async () => {
    const sessions = await blog.db.session.count();
    for (const nothing of [{}, null, undefined]) {
      const { status, body } = await login(nothing);
      expect([status, body.message]).toEqual([400, '"email" is required']);
      expect(body.fields).toEqual({ email: '"email" is required', password: '"password" is required' });
    }
    const { body } = await login({ email: maya.email, password: PASSWORD, isAdmin: true });
    expect(body.message).toBe('"isAdmin" is not allowed');
    const nul = await login({ email: "a\0b", password: PASSWORD });
    expect([nul.status, nul.body.message]).toEqual([400, '"email" contains invalid characters']);
    expect(await blog.db.session.count()).toBe(sessions);
  });
});

describe("a token", () => {
  test("is stored only as its SHA-256, and is new for each login", async () => {
    const tokens = [await signIn(), await signIn()];
    expect(tokens[0]).not.toBe(tokens[1]);
    const { rows } = await blog.pool.query(
      `SELECT row_to_json(s)::text AS row, "tokenHash" FROM "Session" s`,
    );
    const hashes = rows.map(({ tokenHash }) => tokenHash.toString("hex"));
    for (const token of tokens) {
      expect(hashes).toContain(createHash("sha256").update(token).digest("hex"));
      expect(rows.some(({ row }) => row.includes(token))).toBe(false);
    }
  });

  test.each(["undefined", "null", "x", "a.b.c", "ü"])("'%s' is invalid", async (token) => {
    expect(await probe(encodeURIComponent(token))).toEqual(ended);
  });

  test("is required", async () => {
    expect(await probe(null)).toEqual([401, "no token provided, access denied"]);
    const { headers } = await blog.rest("PUT", "/posts/like/12-34");
    expect(headers["www-authenticate"]).toBe("Bearer");
  });

  test("expires after 7 days without use", async () => {
    const token = await signIn();
    travel(7 * DAY - 60_000);
    expect(await probe(token)).toEqual(valid);
    travel(14 * DAY - 120_000);
    expect(await probe(token)).toEqual(valid);
    travel(21 * DAY);
    expect(await probe(token)).toEqual(ended);
  });

  test("expires after 30 days in any case", async () => {
    const token = await signIn();
    for (let day = 5; day < 30; day += 5) {
      travel(day * DAY);
      expect(await probe(token)).toEqual(valid);
    }
    travel(30 * DAY + 1_000);
    expect(await probe(token)).toEqual(ended);
  });

  test("does not cost a write for each request", async () => {
    const token = await signIn();
    const tokenHash = createHash("sha256").update(token).digest();
    const { lastSeenAt } = await blog.db.session.findUniqueOrThrow({ where: { tokenHash } });
    await probe(token);
    expect(await blog.db.session.findUnique({ where: { tokenHash } })).toMatchObject({ lastSeenAt });
  });

  test("ends with its account, and public reads with it are a visitor's", async () => {
    const gone = await blog.signUp();
    const post = await createPost(blog.db, { userId: maya.id });
    await blog.db.user.delete({ where: { id: gone.id } });
    expect(await probe(gone.token)).toEqual(ended);
    expect((await blog.rest("GET", `/posts/${post.id}`, gone.token)).status).toBe(200);
    expect((await blog.rest("GET", "/categories", gone.token)).status).toBe(200);
  });
});

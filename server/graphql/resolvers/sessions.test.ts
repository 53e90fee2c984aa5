import { Readable } from "node:stream";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { finishDeferredWork } from "../../domain/deferred-work.ts";
import { readSessions, authenticate } from "../../domain/accounts/sessions.ts";
import { removeExpired } from "../../domain/retention.ts";
import { after, ctxOf, DAY, emailKindsTo, MINUTE } from "../../testing/accounts.ts";
import { encodeForm, type FormPart } from "../../testing/forms.ts";
import { makePicture } from "../../testing/pictures.ts";
import { PASSWORD, startTestApp, type TestApp } from "../../testing/app.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
});

type Person = Awaited<ReturnType<TestApp["signUp"]>>;

async function signIn({ email }: Person, userAgent = "Firefox", password = PASSWORD): Promise<string> {
  const response = await blog.app.inject({
    method: "POST",
    url: "/api/auth/login",
    headers: { "user-agent": userAgent },
    payload: { email, password },
  });
  return response.json().token;
}

const sessions = "{ viewer { id sessions { id userAgent createdAt lastSeenAt isCurrent } } }";
const sessionsOf = async (token: string) => (await blog.gql(sessions, {}, token)).body.data.viewer?.sessions;
const isSignedIn = async (token: string) =>
  (await blog.gql("{ viewer { id } }", {}, token)).body.data.viewer !== null;
const restError = async (token: string) => {
  const { status, body } = await blog.rest("PUT", "/posts/like/12-34", token);
  return [status, body.message];
};
const ended = [401, "invalid token, access denied"];

describe("a multipart request whose session ends during the upload", () => {
  async function sendSlowly(url: string, token: string, form: FormPart[], meanwhile: () => Promise<unknown>) {
    const { payload, headers } = encodeForm(form);
    const half = Math.floor(payload.length / 2);
    const body = Readable.from(
      (async function* () {
        yield payload.subarray(0, half);
        await new Promise((done) => setTimeout(done, 300));
        await meanwhile();
        yield payload.subarray(half);
      })(),
    );
    const response = await blog.app.inject({
      ...{ method: "POST", url, payload: body },
      headers: { ...headers, authorization: `Bearer ${token}`, "apollo-require-preflight": "1" },
    });
    return { status: response.statusCode, body: response.json() };
  }

  const endings: [string, (maya: Person) => Promise<unknown>][] = [
    [
      "signing out everywhere",
      (maya) => blog.gql("mutation { logoutEverywhere { message } }", {}, maya.token),
    ],
    ["a reset", ({ id }) => blog.db.session.deleteMany({ where: { userId: id } })],
    ["deletion", ({ id }) => blog.db.user.delete({ where: { id } })],
  ];

  test.each(endings)("changes nothing after %s", async (_ending, end) => {
    const maya = await blog.signUp();
    const token = await signIn(maya);
    const query = `mutation { updateProfile(id: "${maya.id}", input: { password: "quite another secret" }) { id } }`;
    const operations = [
      { name: "operations", value: JSON.stringify({ query }) },
      { name: "map", value: "{}" },
    ];
    const { body } = await sendSlowly("/graphql", token, operations, () => end(maya));
    expect(body.errors).toMatchObject([{ message: ended[1], extensions: { code: "UNAUTHENTICATED" } }]);
    expect(body.extensions).toEqual({ session: "ended" });
    const user = await blog.db.user.findUnique({ where: { id: maya.id } });
    if (user) expect(user.passwordHash).toBe(maya.passwordHash);
  });

  test("creates no post and no photo in REST", async () => {
    for (const path of ["/api/posts", "/api/users/profile/profile-photo-upload"]) {
      const maya = await blog.signUp();
      const fields = { title: "Late", description: "Long enough to be read.", category: "Craft" };
      const form: FormPart[] = [
        ...(path === "/api/posts" ? Object.entries(fields).map(([name, value]) => ({ name, value })) : []),
        { name: "image", value: await makePicture(), filename: "a.jpg" },
      ];
      const end = () => blog.db.session.deleteMany({ where: { userId: maya.id } });
      const { status, body } = await sendSlowly(path, maya.token, form, end);
      expect([status, body.message]).toEqual(ended);
    }
    expect(await blog.db.picture.count()).toBe(0);
  });
});

describe("the list of sessions", () => {
  test("has each browser, the latest first, and marks the current session", async () => {
    const maya = await blog.signUp();
    const noor = await blog.signUp();
    const phone = await signIn(maya, "Phone");
    const tablet = await signIn(maya, `Tablet ${"x".repeat(400)}`);
    const list = await sessionsOf(phone);
    expect(list.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([false, true, false]);
    expect(list[0].userAgent).toBe(`Tablet ${"x".repeat(400)}`.slice(0, 300));
    expect(list[1].userAgent).toBe("Phone");
    expect((await sessionsOf(tablet))[0].isCurrent).toBe(true);
    expect(await sessionsOf(noor.token)).toHaveLength(1);
  });

  test("omits expired sessions", async () => {
    const maya = await blog.signUp();
    const { viewer } = await authenticate(blog.services, maya.token);
    const { now } = blog.services;
    onTestFinished(() => void (blog.services.now = now));
    blog.services.now = after(7 * DAY - MINUTE);
    expect(await readSessions(ctxOf(blog, { viewer }))).toHaveLength(1);
    blog.services.now = after(7 * DAY + MINUTE);
    expect(await readSessions(ctxOf(blog, { viewer }))).toEqual([]);
  });

  test("shows neither token nor hash", async () => {
    const maya = await blog.signUp();
    const { viewer } = await authenticate(blog.services, maya.token);
    const [session] = await readSessions(ctxOf(blog, { viewer }));
    expect(session).not.toHaveProperty("tokenHash");
    expect((await blog.gql(sessions, {}, maya.token)).text).not.toContain(maya.token);
  });

  test("is null without a token", async () => {
    expect((await blog.gql(sessions)).body).toEqual({ data: { viewer: null } });
  });
});

describe("signing out", () => {
  test("ends only the current session", async () => {
    const maya = await blog.signUp();
    const other = await signIn(maya);
    const { body } = await blog.gql("mutation { logout { message } }", {}, maya.token);
    expect(body.data.logout).toEqual({ message: "logged out successfully" });
    expect(await restError(maya.token)).toEqual(ended);
    expect(await isSignedIn(other)).toBe(true);
  });

  test("everywhere ends every session of the account, and no others", async () => {
    const [maya, noor] = [await blog.signUp(), await blog.signUp()];
    const tokens = [maya.token, await signIn(maya), await signIn(maya)];
    const { body } = await blog.gql("mutation { logoutEverywhere { message } }", {}, tokens[1]);
    expect(body.data.logoutEverywhere).toEqual({ message: "logged out everywhere" });
    for (const token of tokens) expect(await restError(token)).toEqual(ended);
    expect(await blog.db.session.count({ where: { userId: maya.id } })).toBe(0);
    expect(await isSignedIn(noor.token)).toBe(true);
  });

  test.each(["logout", "logoutEverywhere"])("by %s requires a session", async (verb) => {
    const mutation = `mutation { ${verb} { message } }`;
    for (const [token, message] of [
      [null, "no token provided, access denied"],
      ["undefined", "invalid token, access denied"],
    ] as const) {
      const { body } = await blog.gql(mutation, {}, token);
      expect(body.errors).toMatchObject([{ message, extensions: { code: "UNAUTHENTICATED" } }]);
    }
  });
});

describe("a new password", () => {
  const change =
    "mutation ($id: ID!, $input: ProfileChanges!) { updateProfile(id: $id, input: $input) { id } }";

  test("ends the other sessions of the account but not the current one, and notifies the owner", async () => {
    const maya = await blog.signUp();
    const others = [await signIn(maya), await signIn(maya)];
    const input = { password: "quite another secret" };
    const { body } = await blog.gql(change, { id: maya.id, input }, maya.token);
    expect(body.errors).toBeUndefined();
    expect(await isSignedIn(maya.token)).toBe(true);
    for (const token of others) expect(await restError(token)).toEqual(ended);
    expect(await signIn(maya)).toBeUndefined();
    expect(await isSignedIn(await signIn(maya, "Firefox", input.password))).toBe(true);
    expect((await emailKindsTo(blog, maya.email)).filter((kind) => kind !== "newSignIn")).toEqual([
      "passwordChanged",
    ]);
  });

  test("that is invalid ends no session", async () => {
    const maya = await blog.signUp();
    const other = await signIn(maya);
    const { body } = await blog.gql(change, { id: maya.id, input: { password: "password1" } }, maya.token);
    expect(body.errors[0].extensions.fields).toHaveProperty("password");
    expect(await isSignedIn(other)).toBe(true);
  });

  test("ends sessions, unlike a new name", async () => {
    const maya = await blog.signUp();
    const other = await signIn(maya);
    await blog.gql(change, { id: maya.id, input: { username: "Maya anew" } }, maya.token);
    expect(await isSignedIn(other)).toBe(true);
    expect(await emailKindsTo(blog, maya.email)).not.toContain("passwordChanged");
  });
});

describe("M8: sessions", () => {
  test("can be ended one by one by their owner only", async () => {
    const [maya, noor] = [await blog.signUp(), await blog.signUp()];
    const other = await signIn(maya);
    const { body } = await blog.gql("{ viewer { sessions { id isCurrent } } }", {}, maya.token);
    const { id } = body.data.viewer.sessions.find(({ isCurrent }: any) => !isCurrent);
    const end = "mutation ($id: ID!) { endSession(id: $id) { id message } }";
    const refused = await blog.gql(end, { id }, noor.token);
    expect(refused.body.errors[0].extensions.code).toBe("NOT_FOUND");
    const ended = await blog.gql(end, { id }, maya.token);
    expect(ended.body.data.endSession).toEqual({ id, message: "session has been ended" });
    expect([await isSignedIn(other), await isSignedIn(maya.token)]).toEqual([false, true]);
  });

  test("are at most fifty: the least recently used is ended", async () => {
    const maya = await blog.signUp();
    const rows = Array.from({ length: 49 }, (_, n) => ({
      ...{ userId: maya.id, tokenHash: Buffer.from(`${maya.id} ${n}`) },
      lastSeenAt: new Date(Date.now() - (n + 1) * 60_000),
    }));
    await blog.db.session.createMany({ data: rows });
    await signIn(maya);
    expect(await blog.db.session.count({ where: { userId: maya.id } })).toBe(50);
    const oldest = Buffer.from(`${maya.id} 48`);
    expect(await blog.db.session.count({ where: { tokenHash: oldest } })).toBe(0);
  });

  test("in a new browser notify the owner, unlike those in a known one", async () => {
    const maya = await blog.signUp();
    await signIn(maya, "Firefox");
    expect(await emailKindsTo(blog, maya.email)).toEqual(["newSignIn"]);
    await signIn(maya, "Firefox");
    expect(await emailKindsTo(blog, maya.email)).toEqual(["newSignIn"]);
  });

  test("in a new browser notify the owner also where no other session is left", async () => {
    const maya = await blog.signUp();
    expect(await emailKindsTo(blog, maya.email)).toEqual([]);
    for (let n = 0; n < 2; n++) {
      await blog.db.session.deleteMany({ where: { userId: maya.id } });
      await signIn(maya, "Firefox");
      expect(await emailKindsTo(blog, maya.email)).toEqual(["newSignIn"]);
    }
  });

  test("remember fifty browsers of an account: the one seen least recently is forgotten", async () => {
    const maya = await blog.signUp();
    const rows = Array.from({ length: 50 }, (_, n) => ({
      ...{ userId: maya.id, hash: Buffer.from(`browser ${n}`), seenAt: new Date(Date.now() - n * 60_000) },
    }));
    await blog.db.knownBrowser.createMany({ data: rows });
    await signIn(maya, "Firefox");
    expect(await blog.db.knownBrowser.count({ where: { userId: maya.id } })).toBe(50);
    const oldest = { userId: maya.id, hash: Buffer.from("browser 49") };
    expect(await blog.db.knownBrowser.count({ where: oldest })).toBe(0);
  });
});

test("the cleanup removes expired rows and keeps valid ones", async () => {
  const maya = await blog.signUp();
  await blog.rest("POST", "/password/reset-password-link", null, { email: maya.email });
  await finishDeferredWork();
  const counts = async () => [
    await blog.db.session.count({ where: { userId: maya.id } }),
    await blog.db.mailToken.count({ where: { userId: maya.id } }),
    await blog.db.throttle.count({ where: { key: { contains: maya.email } } }),
  ];
  await removeExpired({ ...blog.services, now: after(59 * MINUTE) });
  expect(await counts()).toEqual([1, 1, 3]);
  await removeExpired({ ...blog.services, now: after(61 * MINUTE) });
  expect(await counts()).toEqual([1, 0, 0]);
  await removeExpired({ ...blog.services, now: after(7 * DAY + MINUTE) });
  expect(await counts()).toEqual([0, 0, 0]);
});

import { beforeAll, describe, expect, test } from "vitest";
import { callerOf, createAccount } from "../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";
import { createLike, createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let noor: typeof maya;
let ada: typeof maya;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya", bio: "I write." });
  noor = await blog.signUp({ username: "Noor" });
  ada = await blog.signUp({ username: "Ada", isAdmin: true });
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const read = (id: string, token: string | null = null) => blog.rest("GET", `/users/profile/${id}`, token);
const update = (id: string, token: string | null, body?: object | null) =>
  blog.rest("PUT", `/users/profile/${id}`, token, body);
const rowOf = (id: string) => blog.db.user.findUniqueOrThrow({ where: { id } });
const nobody = "00000000-0000-0000-0000-000000000000";

describe("reading a profile", () => {
  test("returns the full user with the posts, newest first, each with its author's id", async () => {
    const [older, newer] = [new Date(Date.UTC(2020, 0, 1)), new Date(Date.UTC(2020, 0, 2))];
    const first = await createPost(blog.db, { userId: maya.id, createdAt: older });
    const second = await createPost(blog.db, { userId: maya.id, createdAt: newer });
    await createPost(blog.db, { userId: noor.id });
    await createLike(blog.db, { postId: first.id, userId: noor.id });
    const { status, body } = await read(maya.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ _id: maya.id, id: maya.id, username: "Maya", email: null, bio: "I write.", isAdmin: false },
      ...{ isAccountVerified: true, createdAt: moment, updatedAt: moment },
      profilePhoto: {
        ...{ url: "http://blog.test/default-photo.png", publicId: "default" },
        variants: [{ url: "http://blog.test/default-photo.png", width: 256, height: 256, format: "png" }],
      },
      posts: [expect.objectContaining({ _id: second.id }), expect.objectContaining({ _id: first.id })],
    });
    expect(body.posts[1]).toEqual({
      ...{ _id: first.id, id: first.id, title: first.title, description: first.description },
      ...{
        category: "Craft",
        user: maya.id,
        likes: [noor.id],
        tags: [],
        createdAt: moment,
        updatedAt: moment,
      },
      image: { url: expect.stringMatching(/^http:\/\/blog\.test\/media\//), publicId: first.imageId },
    });
  });

  test("shows the email address only to its owner and to admins, in REST and GraphQL", async () => {
    const query = "query ($id: ID!) { profile(id: $id) { email viewerCanEdit } }";
    for (const [token, email, viewerCanEdit] of [
      [null, null, false],
      [noor.token, null, false],
      ["undefined", null, false],
      [maya.token, maya.email, true],
      [ada.token, maya.email, false],
    ] as const) {
      expect((await read(maya.id, token)).body.email).toBe(email);
      const { body } = await blog.gql(query, { id: maya.id }, token);
      expect(body.data.profile).toEqual({ email, viewerCanEdit });
    }
  });

  test("never shows a password, not even its hash", async () => {
    const { text } = await read(maya.id, maya.token);
    expect(text).not.toMatch(/password|argon2/i);
  });

  test("is 404 for an unknown id, and 400 for a malformed one", async () => {
    expect(await read(nobody)).toMatchObject({ status: 404, body: { message: "user not found" } });
    expect(await read("12-34")).toMatchObject({ status: 400, body: { message: "invalid id" } });
    expect((await read(maya.id.toUpperCase())).body._id).toBe(maya.id);
  });
});

describe("changing a profile", () => {
  test("returns the full profile with its posts, and changes only the given fields", async () => {
    const person = await blog.signUp({ bio: "Before." });
    const post = await createPost(blog.db, { userId: person.id });
    const { status, body } = await update(person.id, person.token, { username: "  Renamed person " });
    expect(status).toBe(200);
    expect(body).toMatchObject({ username: "Renamed person", bio: "Before.", email: person.email });
    expect(body.posts).toMatchObject([{ _id: post.id, user: person.id }]);
    expect(await read(person.id, person.token)).toMatchObject({ body });
  });

  test.each([
    ["left out", {}, "Before."],
    ["null", { bio: null }, null],
    ["empty", { bio: "" }, ""],
    ["of blanks", { bio: "   " }, ""],
    ["long", { bio: ` ${"x".repeat(1_000)} ` }, "x".repeat(1_000)],
    ["new", { bio: " New\nlines. " }, "New\nlines."],
  ])("accepts a bio that is %s", async (_what, changes, bio) => {
    const person = await blog.signUp({ bio: "Before." });
    const { status, body } = await update(person.id, person.token, changes);
    expect([status, body.bio]).toEqual([200, bio]);
    expect((await rowOf(person.id)).bio).toBe(bio);
  });

  test.each([[{}], [null], [undefined]])("changes nothing for %j", async (nothing) => {
    const { status, body } = await update(maya.id, maya.token, nothing);
    expect([status, body.username, body.bio]).toEqual([200, "Maya", "I write."]);
  });

  test("accepts a new password, untrimmed", async () => {
    const person = await blog.signUp();
    const password = " quite another secret ";
    expect((await update(person.id, person.token, { password })).status).toBe(200);
    const signIn = async (given: string) =>
      (await callerOf(blog)("POST", "/auth/login", { email: person.email, password: given })).status;
    expect([await signIn(PASSWORD), await signIn(password.trim()), await signIn(password)]).toEqual([
      ...[400, 400, 200],
    ]);
  });

  test.each<[string, object, string]>([
    ["a short name", { username: "x" }, '"username" length must be at least 2 characters long'],
    [
      "a long bio",
      { bio: "x".repeat(1_001) },
      '"bio" length must be less than or equal to 1000 characters long',
    ],
    ["a NUL in a bio", { bio: "a\0b" }, '"bio" contains invalid characters'],
    ["a common password", { password: "password1" }, '"password" is too common, please choose another'],
    [
      "the address as password",
      { password: "MAYA@example.com" },
      '"password" must not be your username or email',
    ],
    ["a role", { isAdmin: true }, '"isAdmin" is not allowed'],
    ["another address", { email: "new@example.com" }, '"email" is not allowed'],
    ["a verification", { verifiedAt: null }, '"verifiedAt" is not allowed'],
  ])("refuses %s, and changes nothing", async (_what, changes, message) => {
    const before = await rowOf(maya.id);
    const { status, body } = await update(maya.id, maya.token, { bio: "Changed.", ...changes });
    expect([status, body.message, body.code]).toEqual([400, message, "BAD_USER_INPUT"]);
    expect(await rowOf(maya.id)).toEqual(before);
  });

  test("refuses the new name as new password, too", async () => {
    const changes = { username: "A longer name", password: "a LONGER name" };
    const { body } = await update(maya.id, maya.token, changes);
    expect(body.message).toBe('"password" must not be your username or email');
  });

  test("refuses another user's name, and changes nothing; the own name in other case is accepted", async () => {
    const before = await rowOf(maya.id);
    const changes = { username: "nOOr", bio: "Changed.", password: "quite another secret" };
    const { status, body } = await update(maya.id, maya.token, changes);
    expect([status, body.message, body.code]).toEqual([409, "username already exist", "CONFLICT"]);
    expect(await rowOf(maya.id)).toEqual(before);
    expect((await update(maya.id, maya.token, { username: "MAYA" })).body.username).toBe("MAYA");
    expect((await update(maya.id, maya.token, { username: "Maya" })).status).toBe(200);
  });

  test("gives a name to one of two concurrent requests", async () => {
    const people = [await blog.signUp(), await blog.signUp()];
    const responses = await Promise.all(
      people.map(({ id, token }) => update(id, token, { username: "Wanted" })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await blog.db.user.count({ where: { usernameKey: "wanted" } })).toBe(1);
  });

  test("is for its owner only, not for an admin", async () => {
    for (const { token } of [noor, ada]) {
      const { status, body } = await update(maya.id, token, { bio: "Mine now." });
      expect([status, body.message]).toEqual([403, "not allowed, only user himself"]);
    }
    expect((await rowOf(maya.id)).bio).toBe("I write.");
  });

  test("checks token, id, existence, ownership and body in this order", async () => {
    const wrong = { isAdmin: true };
    expect(await update("12-34", null, wrong)).toMatchObject({ status: 401 });
    expect(await update("12-34", "undefined", wrong)).toMatchObject({ status: 401 });
    expect(await update("12-34", noor.token, wrong)).toMatchObject({ body: { message: "invalid id" } });
    expect(await update(nobody, noor.token, wrong)).toMatchObject({ body: { message: "user not found" } });
    expect(await update(maya.id, noor.token, wrong)).toMatchObject({ status: 403 });
    expect(await update(maya.id, maya.token, wrong)).toMatchObject({ status: 400 });
  });
});

test("an unverified account has a profile, which shows that", async () => {
  const { id } = await createAccount(blog, { verifiedAt: null });
  expect((await read(id)).body.isAccountVerified).toBe(false);
});

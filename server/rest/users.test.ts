import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { blankPicture, createPost, createUser } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let ada: typeof maya;
beforeAll(async () => {
  blog = await startTestApp();
  const dayOf = (n: number) => new Date(Date.UTC(2020, 0, n));
  maya = await blog.signUp({ username: "Maya", bio: "I write.", createdAt: dayOf(1), photo: blankPicture() });
  ada = await blog.signUp({ username: "Ada", isAdmin: true, createdAt: dayOf(2) });
  await createUser(blog.db, { username: "Una", verifiedAt: null, createdAt: dayOf(3) });
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const defaultPhoto = { url: "http://blog.test/default-photo.png", publicId: "default" };
const photo = {
  url: expect.stringMatching(/^http:\/\/blog\.test\/media\/.+\/picture\.jpg$/),
  publicId: expect.stringMatching(/^[0-9a-f-]{36}$/),
};

describe("the list of accounts", () => {
  test("returns full users to an admin, with email addresses, newest first", async () => {
    const { status, body, headers } = await blog.rest("GET", "/users/profile", ada.token);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const common = { _id: expect.any(String), id: expect.any(String), createdAt: moment, updatedAt: moment };
    const plain = {
      ...common,
      bio: null,
      isAdmin: false,
      isAccountVerified: true,
      profilePhoto: defaultPhoto,
    };
    expect(body).toEqual([
      { ...plain, username: "Una", email: "una@example.com", isAccountVerified: false },
      { ...plain, username: "Ada", email: "ada@example.com", isAdmin: true },
      { ...plain, username: "Maya", email: "maya@example.com", bio: "I write.", profilePhoto: photo },
    ]);
    expect(body[2]._id).toBe(maya.id);
    expect(body[2].id).toBe(maya.id);
  });

  test("shows no password, not even its hash", async () => {
    const { text } = await blog.rest("GET", "/users/profile", ada.token);
    expect(text).not.toMatch(/password|argon2|unusable/i);
  });

  test("has pages in GraphQL", async () => {
    const query = `query ($page: Int, $first: Int, $after: String) {
      users(page: $page, first: $first, after: $after) {
        totalCount pages pageInfo { hasNextPage endCursor }
        nodes { id username email isAdmin isAccountVerified createdAt profilePhoto { url } } } }`;
    const readUsers = async (window: object) => (await blog.gql(query, window, ada.token)).body.data.users;
    const [page, first] = [await readUsers({ page: 1 }), await readUsers({ first: 2 })];
    expect(page).toMatchObject({ totalCount: 3, pages: 1 });
    expect(first.nodes).toEqual(page.nodes.slice(0, 2));
    expect(first.pageInfo.hasNextPage).toBe(true);
    expect((await readUsers({ first: 2, after: first.pageInfo.endCursor })).nodes).toEqual([page.nodes[2]]);
    expect(page.nodes[0]).toEqual({
      ...{ id: expect.any(String), username: "Una", email: "una@example.com", isAdmin: false },
      ...{ isAccountVerified: false, createdAt: moment, profilePhoto: { url: defaultPhoto.url } },
    });
  });
});

test("the list in GraphQL counts each account's posts", async () => {
  for (const userId of [maya.id, maya.id, ada.id]) await createPost(blog.db, { userId });
  const query = '{ users(first: 100, sort: "username") { nodes { username postCount } } }';
  expect((await blog.gql(query, {}, ada.token)).body.data.users.nodes).toEqual([
    { username: "Ada", postCount: 1 },
    { username: "Maya", postCount: 2 },
    { username: "Una", postCount: 0 },
  ]);
  await blog.db.post.deleteMany();
});

test("the number of accounts is a bare number, and the same in GraphQL", async () => {
  const { status, text } = await blog.rest("GET", "/users/count", ada.token);
  expect([status, text]).toEqual([200, "3"]);
  expect((await blog.gql("{ usersCount }", {}, ada.token)).body).toEqual({ data: { usersCount: 3 } });
});

describe("for admins only:", () => {
  test.each(["/users/profile", "/users/count"])("GET %s", async (path) => {
    for (const [token, status, message] of [
      [null, 401, "no token provided, access denied"],
      ["undefined", 401, "invalid token, access denied"],
      [maya.token, 403, "not allowed, only admin"],
    ] as const) {
      const response = await blog.rest("GET", path, token);
      expect([response.status, response.body.message]).toEqual([status, message]);
    }
  });

  test("a former admin is refused from the next request on", async () => {
    const former = await blog.signUp({ isAdmin: true });
    expect((await blog.rest("GET", "/users/count", former.token)).status).toBe(200);
    await blog.db.user.update({ where: { id: former.id }, data: { isAdmin: false } });
    expect((await blog.rest("GET", "/users/count", former.token)).status).toBe(403);
  });
});

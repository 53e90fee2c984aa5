import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

const COMMENTS = 1_003;
const POSTS = 450;

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  ({ id: postId } = await createPost(blog.db, { userId: maya.id, title: "The first" }));
  // Some share a timestamp, as imported ones do.
  await blog.pool.query(
    `INSERT INTO "Comment" (id, text, "postId", "userId", "createdAt", "updatedAt")
     SELECT gen_random_uuid(), 'Said ' || n, $1, $2, now() + (n / 7) * interval '1 second', now()
     FROM generate_series(1, ${COMMENTS}) n`,
    [postId, maya.id],
  );
  await blog.db.$transaction(
    async (tx) => {
      for (let n = 1; n < POSTS; n++) await createPost(tx, { userId: maya.id, title: `Post ${n}` });
    },
    { timeout: 30_000 },
  );
});

describe("H2: unbounded lists are streamed, complete and in order:", () => {
  test("the comments of a post", async () => {
    for (const [method, path, body] of [
      ["GET", `/posts/${postId}`, undefined],
      ["PUT", `/posts/${postId}`, {}],
    ] as const) {
      const response = await blog.rest(method, path, maya.token, body);
      expect(response.status).toBe(200);
      expect(response.headers["content-length"]).toBeUndefined();
      expect(response.body).toMatchObject({ _id: postId, title: "The first", user: { username: "Maya" } });
      const rows = await blog.db.comment.findMany({
        where: { postId },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      });
      expect(response.body.comments.map(({ _id }: any) => _id)).toEqual(rows.map(({ id }) => id));
      expect(response.body.comments[0]).toMatchObject({ postId, user: maya.id, username: "Maya" });
    }
  });

  test("A2: posts of an account that have more than 100 kB together", async () => {
    const { id } = await blog.signUp();
    const lengthOf = async () => (await blog.rest("GET", `/users/profile/${id}`)).headers["content-length"];
    const write = () => createPost(blog.db, { userId: id, description: "x".repeat(45_000) });
    await write();
    await write();
    expect(await lengthOf()).toBeDefined();
    await write();
    expect(await lengthOf()).toBeUndefined();
    await blog.db.post.deleteMany({ where: { userId: id } });
  });

  test("R30A F2: long texts, of which no statement returns more than 100 kB, and of which a page streams the rest", async () => {
    const { id: userId } = await blog.signUp();
    const description = "\u0001".repeat(45_000);
    const ids = new Set<string>();
    for (let n = 0; n < 9; n++) ids.add((await createPost(blog.db, { userId, description })).id);
    const read = vi.spyOn(blog.services.queries, "postsById");
    onTestFinished(() => read.mockRestore());
    for (const path of ["/posts", "/posts?limit=9", "/posts?limit=20", `/users/profile/${userId}`]) {
      read.mockClear();
      const { body, headers } = await blog.rest("GET", path);
      expect(headers["content-length"]).toBeUndefined();
      const posts = (body.posts ?? body) as { _id: string; description: string }[];
      const long = posts.filter(({ _id }) => ids.has(_id));
      expect(long.map((post) => post.description)).toEqual([...ids].map(() => description));
      const numbers = read.mock.calls.map(([some]) => some.filter((each) => ids.has(each)).length);
      expect(Math.max(...numbers)).toBe(2);
    }
    await blog.db.post.deleteMany({ where: { userId } });
  });

  test("the posts of an account", async () => {
    const { status, body, headers } = await blog.rest("GET", `/users/profile/${maya.id}`);
    expect([status, headers["content-length"]]).toEqual([200, undefined]);
    expect(body).toMatchObject({ _id: maya.id, username: "Maya" });
    expect(body.posts).toHaveLength(POSTS);
    expect(body.posts.at(-1)).toMatchObject({ _id: postId, user: maya.id, likes: [] });
    expect(new Set(body.posts.map(({ _id }: any) => _id)).size).toBe(POSTS);
  });
});

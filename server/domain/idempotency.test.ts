import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { after, DAY } from "../testing/accounts.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createPost } from "../testing/factories.ts";
import { encodeForm } from "../testing/forms.ts";
import { makePicture } from "../testing/pictures.ts";
import { removeExpired } from "./retention.ts";

type Account = Awaited<ReturnType<TestApp["signUp"]>>;

let blog: TestApp;
let maya: Account;
let noor: Account;
let postId: string;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  noor = await blog.signUp({ username: "Noor" });
  await createCategory(blog.db, "Craft");
});
beforeEach(async () => {
  ({ id: postId } = await createPost(blog.db, { userId: maya.id }));
});

const json = { "content-type": "application/json" };
const keyed = (key: string) => ({ ...json, "idempotency-key": key });
const comment = (key: string, text = "Well said.", { token }: Account = maya) =>
  blog.send("POST", "/api/comments", token, { text, postId }, keyed(key));
const countComments = () => blog.db.comment.count({ where: { postId } });

describe("a request that is repeated with its Idempotency-Key", () => {
  test("gets the first response, though the comment is gone or changed since, and creates nothing", async () => {
    const first = await comment("one");
    expect(first.status).toBe(201);
    await blog.rest("PUT", `/comments/${first.body._id}`, maya.token, { text: "Changed" });
    expect(await comment("one")).toMatchObject({ status: 201, body: first.body });
    // In the syntax of structured fields, too.
    expect((await comment('"one"')).body).toEqual(first.body);
    await blog.db.comment.deleteMany({ where: { postId } });
    expect((await comment("one")).body).toEqual(first.body);
    expect(await countComments()).toBe(0);
  });

  test("creates once, however many come at the same time", async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => comment("at-once")));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await countComments()).toBe(1);
  });

  test("creates once by GraphQL too", async () => {
    const query =
      "mutation ($postId: ID!, $text: String!) { createComment(postId: $postId, text: $text) { id text createdAt } }";
    const body = { query, variables: { postId, text: "Yes." } };
    const send = () => blog.send("POST", "/graphql", maya.token, body, keyed("graphql"));
    const first = await send();
    expect(first.body.errors).toBeUndefined();
    expect((await send()).body).toEqual(first.body);
    expect(await countComments()).toBe(1);
  });

  test("is refused with another body, and independent of other accounts' keys", async () => {
    await comment("two");
    expect(await comment("two", "Another text")).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", message: "this Idempotency-Key was used for another request" },
    });
    expect((await comment("two", "Another text", noor)).status).toBe(201);
    expect(await countComments()).toBe(2);
  });

  test("counts once towards the limit of writes", async () => {
    await blog.db.throttle.deleteMany();
    blog.services.writeLimits = { ...blog.services.writeLimits, comments: 1 };
    const ada = await blog.signUp();
    for (let time = 0; time < 3; time++) expect((await comment("limited", "Yes.", ada)).status).toBe(201);
    expect((await comment("another", "Yes.", ada)).status).toBe(429);
    blog.services.writeLimits = { ...blog.services.writeLimits, comments: 300 };
    expect((await comment("another", "Yes.", ada)).status).toBe(201);
  });

  test("may be corrected if it was refused", async () => {
    expect((await comment("three", "")).status).toBe(400);
    const gone = await createPost(blog.db, { userId: maya.id });
    await blog.db.post.delete({ where: { id: gone.id } });
    const unknown = { text: "Yes.", postId: gone.id };
    expect((await blog.send("POST", "/api/comments", maya.token, unknown, keyed("three"))).status).toBe(404);
    expect((await comment("three")).status).toBe(201);
  });

  test("is a new one after a day", async () => {
    const first = await comment("daily");
    blog.services.now = after(DAY + 1_000);
    try {
      expect((await comment("daily")).body._id).not.toBe(first.body._id);
      await removeExpired(blog.services);
      expect(await blog.db.idempotencyKey.count({ where: { userId: maya.id } })).toBe(1);
    } finally {
      blog.services.now = () => new Date();
    }
  });
});

describe("uploads and categories", () => {
  const fields = { title: "On slate", description: "It splits where it was laid down.", category: "Craft" };
  const post = (key: string, file: Buffer, tags?: string) => {
    const parts = Object.entries({ ...fields, ...(tags && { tags }) });
    const { payload, headers } = encodeForm([
      ...parts.map(([name, value]) => ({ name, value })),
      { name: "image", value: file, filename: "slate.png" },
    ]);
    return blog.send("POST", "/api/posts", maya.token, payload, { ...headers, "idempotency-key": key });
  };

  test("a repeated form creates one post; other fields or another file are refused", async () => {
    const picture = await makePicture();
    const before = await blog.db.post.count();
    const [first, second] = await Promise.all([
      post("post", picture, "slate"),
      post("post", picture, "slate"),
    ]);
    expect(first).toMatchObject({ status: 201, body: { title: "On slate", tags: ["slate"], likes: [] } });
    expect(second.body).toEqual(first.body);
    await blog.rest("PUT", `/posts/like/${first.body._id}`, noor.token);
    expect((await post("post", picture, "slate")).body).toEqual(first.body);
    const other = Buffer.concat([picture, Buffer.from([0])]);
    expect((await post("post", other, "slate")).status).toBe(409);
    expect((await post("post", picture)).status).toBe(409);
    expect(await blog.db.post.count()).toBe(before + 1);
  });

  test("a picture for a text is stored once; another description is refused", async () => {
    const file = await makePicture();
    const upload = (alt: string) => {
      const query =
        "mutation ($image: Upload!, $alt: String!) { uploadPicture(image: $image, alt: $alt) { id alt image { url } } }";
      const { payload, headers } = encodeForm([
        { name: "operations", value: JSON.stringify({ query, variables: { image: null, alt } }) },
        { name: "map", value: JSON.stringify({ 0: ["variables.image"] }) },
        { name: "0", value: file, filename: "slate.png" },
      ]);
      const more = { "apollo-require-preflight": "true", "idempotency-key": "picture" };
      return blog.send("POST", "/graphql", maya.token, payload, { ...headers, ...more });
    };
    const [first, second] = await Promise.all([upload("A roof"), upload("A roof")]);
    expect(first.body.data.uploadPicture).toMatchObject({
      alt: "A roof",
      image: { url: expect.any(String) },
    });
    expect(second.body).toEqual(first.body);
    expect((await upload("A wall")).body.errors[0].extensions.code).toBe("CONFLICT");
    expect(await blog.db.upload.count({ where: { userId: maya.id } })).toBe(1);
  });

  test("an admin creates a category once; others are refused with any key", async () => {
    const ada = await blog.signUp({ isAdmin: true });
    const create = ({ token }: Account) =>
      blog.send("POST", "/api/categories", token, { title: "Stone" }, keyed("category"));
    const first = await create(ada);
    expect(first.status).toBe(201);
    expect(await create(ada)).toMatchObject({ status: 201, body: first.body });
    expect((await create(noor)).status).toBe(403);
  });
});

describe("a request that was cut off", () => {
  const claim = (key: string, text: string, objectId: string, claimedAt: Date) => {
    const hash = createHash("sha256")
      .update(JSON.stringify(["createComment", { text, postId }]))
      .digest("hex");
    return blog.db.idempotencyKey.create({
      data: { userId: maya.id, key, hash, objectId, claimedAt, createdAt: new Date() },
    });
  };

  test("after its write is answered by what it has created", async () => {
    const { id } = await createComment(blog.db, { postId, userId: maya.id, text: "Written" });
    await claim("cut-after", "Written", id, new Date(0));
    expect(await comment("cut-after", "Written")).toMatchObject({ status: 201, body: { _id: id } });
    expect(await countComments()).toBe(1);
  });

  test("before its write is done under the id that was chosen", async () => {
    const id = "0193a1c2-7d3e-7b4a-9c58-2f6e1d0a4b37";
    await claim("cut-before", "Begun", id, new Date(0));
    expect(await comment("cut-before", "Begun")).toMatchObject({ status: 201, body: { _id: id } });
  });

  test("in another process is waited for", async () => {
    const { id } = await createComment(blog.db, { postId, userId: maya.id, text: "Elsewhere" });
    await claim("elsewhere", "Elsewhere", id, new Date());
    const waiting = comment("elsewhere", "Elsewhere");
    const row = await blog.db.comment.findUniqueOrThrow({ where: { id } });
    await blog.db.idempotencyKey.updateMany({
      where: { userId: maya.id, key: "elsewhere" },
      data: { answer: JSON.stringify(row) },
    });
    expect((await waiting).body._id).toBe(id);
    expect(await countComments()).toBe(1);
  });
});

test.each(["", "with blanks", "ü", "a".repeat(201), '"open'])(
  "an invalid key is refused: %j",
  async (key) => {
    expect(await comment(key)).toMatchObject({ status: 400, body: { code: "BAD_USER_INPUT" } });
  },
);

test("visitors are refused before the key is looked at", async () => {
  const answer = await blog.send(
    "POST",
    "/api/comments",
    null,
    { text: "Yes.", postId },
    keyed("with blanks"),
  );
  expect(answer.status).toBe(401);
});

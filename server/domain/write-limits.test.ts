import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { query } from "../testing/database-server.ts";
import { createPost } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";
import { ctxOf, uncheckedViewer } from "../testing/accounts.ts";
import { BlogError, databaseFull, type ErrorCode } from "../errors.ts";
import { completePicture } from "./pictures.ts";
import { renderPending } from "./posts/post-html.ts";
import { limitWrites } from "./write-limits.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
beforeAll(async () => {
  blog = await startTestApp();
});
beforeEach(async () => {
  maya = await blog.signUp();
  postId = (await createPost(blog.db, { userId: maya.id })).id;
  await blog.db.throttle.deleteMany();
  Object.assign(blog.services, {
    ...{ writes: { ...blog.services.writes }, rateLimitsEnabled: true },
    writeLimits: { posts: 3, comments: 4, likes: 25 },
  });
});

async function statusesOf(count: number, write: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses = [];
  for (let n = 0; n < count; n++) statuses.push((await write()).status);
  return statuses;
}

const comment = () => blog.rest("POST", "/comments", maya.token, { postId, text: "Well said." });
const like = () => blog.rest("PUT", `/posts/like/${postId}`, maya.token);

test("H2: limits the writes of an account in ten minutes and returns Retry-After", async () => {
  expect(await statusesOf(5, comment)).toEqual([201, 201, 201, 201, 429]);
  const { body, headers } = await comment();
  expect([body.code, body.message]).toEqual([
    "RATE_LIMITED",
    "too many attempts, please try again in 10 minutes",
  ]);
  expect(Number(headers["retry-after"])).toBeLessThanOrEqual(600);
  const query = `mutation { createComment(postId: "${postId}", text: "Yes.") { id } }`;
  const inGraphql = await blog.gql(query, {}, maya.token);
  expect(inGraphql.body.errors[0].extensions.code).toBe("RATE_LIMITED");
  expect(await blog.db.comment.count({ where: { postId } })).toBe(4);
});

test("A40-2: a new photo counts as a change of the profile", async () => {
  Object.assign(blog.services, { writeLimits: { posts: 30, profiles: 2 } });
  const part = { name: "image", value: await makePicture(), filename: "maya.jpg", type: "image/jpeg" };
  const photo = () => blog.restForm("POST", "/users/profile/profile-photo-upload", maya.token, [part]);
  const bio = () => blog.rest("PUT", `/users/profile/${maya.id}`, maya.token, { bio: "Writes." });
  expect(await statusesOf(1, bio)).toEqual([200]);
  expect(await statusesOf(2, photo)).toEqual([200, 429]);
  expect((await bio()).status).toBe(429);
});

test("a new photo counts as a picture, too", async () => {
  Object.assign(blog.services, { writeLimits: { posts: 1, profiles: 30 } });
  const part = { name: "image", value: await makePicture(), filename: "maya.jpg", type: "image/jpeg" };
  const photo = () => blog.restForm("POST", "/users/profile/profile-photo-upload", maya.token, [part]);
  expect(await statusesOf(2, photo)).toEqual([200, 429]);
});

test("A40-2, A41-1: a change of a name counts as two, and one more for twenty pages that show it; one of a bio as one", async () => {
  Object.assign(blog.services, { writeLimits: { profiles: 5 } });
  const change = (fields: object) => () => blog.rest("PUT", `/users/profile/${maya.id}`, maya.token, fields);
  for (let n = 0; n < 20; n++) {
    const { id } = await createPost(blog.db, { userId: maya.id });
    if (n < 12) await blog.db.comment.create({ data: { postId: id, userId: maya.id, text: "Yes." } });
    if (n > 7) await blog.db.relatedPost.create({ data: { postId: id, relatedId: postId, score: 1 } });
  }
  expect(await statusesOf(2, change({ bio: "Writes." }))).toEqual([200, 200]);
  expect(await statusesOf(1, change({ username: "Maya L." }))).toEqual([200]);
  expect(await statusesOf(1, change({ bio: "Reads." }))).toEqual([429]);
});

test("R26A: without room on the disk, texts and what makes jobs write texts are refused, and no HTML is stored", async () => {
  const { services } = blog;
  const { requireDiskSpace } = services;
  const full = () => Promise.reject(databaseFull(new Error("full")));
  await blog.db.postHtml.updateMany({ where: { postId }, data: { version: 0 } });
  Object.assign(services, { requireDiskSpace: full });
  onTestFinished(() => void Object.assign(services, { requireDiskSpace }));
  const codeOf = async (mutation: string) =>
    (await blog.gql(`mutation { ${mutation} }`, {}, maya.token)).body.errors?.[0].extensions.code;
  for (const mutation of [
    `updatePost(id: "${postId}", input: { title: "A new title" }) { id }`,
    `createComment(postId: "${postId}", text: "Yes.") { id }`,
    `saveDraft(input: { title: "Later" }) { id }`,
    `updatePictureAlt(id: "${postId}", alt: "Slate") { id }`,
    `updateProfile(id: "${maya.id}", input: { username: "Another Name" }) { id }`,
  ])
    expect([mutation, await codeOf(mutation)]).toEqual([mutation, "INSUFFICIENT_STORAGE"]);
  expect((await like()).status).toBe(200);
  const bio = `updateProfile(id: "${maya.id}", input: { bio: "Writes." }) { id }`;
  expect(await codeOf(bio)).toBeUndefined();
  await blog.db.picture.updateMany({ data: { isComplete: false } });
  for (const job of [renderPending, completePicture])
    await expect(job(services)).rejects.toMatchObject({ code: "INSUFFICIENT_STORAGE" });
  await blog.db.picture.updateMany({ data: { isComplete: true } });
  Object.assign(services, { requireDiskSpace });
  expect(await statusesOf(4, comment)).toEqual([201, 201, 201, 201]);
});

test("a refused picture counts if it has occupied the encoder", async () => {
  const ctx = ctxOf(blog, { viewer: uncheckedViewer(maya.id) });
  const refuse = (milliseconds: number, code: ErrorCode = "UNSUPPORTED_MEDIA_TYPE") =>
    limitWrites(ctx, "posts", async () => {
      await new Promise((done) => setTimeout(done, milliseconds));
      throw new BlogError(code, "refused");
    }).catch(({ code }) => code as string);
  const codes = [await refuse(0), await refuse(0), await refuse(600), await refuse(600)];
  expect(new Set(codes)).toEqual(new Set(["UNSUPPORTED_MEDIA_TYPE"]));
  expect(await refuse(600, "PAYLOAD_TOO_LARGE")).toBe("PAYLOAD_TOO_LARGE");
  expect(await refuse(0)).toBe("RATE_LIMITED");
});

test("a write that waits for the counters while all sessions of its account are ended is not made", async () => {
  await comment();
  let late: ReturnType<typeof comment> | undefined;
  await blog.db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM "Throttle" WHERE key = ${`comments ${maya.id}`} FOR UPDATE`;
    late = comment();
    await sleep(100);
    await blog.gql("mutation { logoutEverywhere { message } }", {}, maya.token);
    await sleep(300);
  });
  expect((await late)?.status).toBe(401);
  expect(await blog.db.comment.count({ where: { postId } })).toBe(1);
});

test("reports the rest of the limit, in headers and in GraphQL's extensions", async () => {
  const first = await comment();
  expect(first.headers).toMatchObject({
    "ratelimit-policy": '"comments";q=4;w=600',
    ratelimit: expect.stringMatching(/^"comments";r=3;t=\d{3}$/),
    ...{ "ratelimit-limit": "4", "ratelimit-remaining": "3" },
  });
  expect((await blog.rest("POST", "/comments", maya.token, { postId, text: " " })).status).toBe(400);
  const query = `mutation { createComment(postId: "${postId}", text: "Yes.") { text } }`;
  // The first is run by Apollo, the second as compiled code.
  for (const remaining of [2, 1]) {
    const withCost = { "content-type": "application/json", "x-graphql-cost": "1" };
    const { body, headers } = await blog.send("POST", "/graphql", maya.token, { query }, withCost);
    const { rateLimit } = body.extensions;
    expect(rateLimit).toMatchObject({ policy: "comments", limit: 4, window: 600, remaining });
    expect(headers["ratelimit"]).toBe(`"comments";r=${remaining};t=${rateLimit.reset}`);
  }
  await comment();
  const { status, headers } = await comment();
  expect([status, headers["ratelimit-remaining"]]).toEqual([429, "0"]);
  expect(headers["ratelimit-reset"]).toBe(String(headers["retry-after"]));
  const refused = await blog.gql(query, {}, maya.token);
  expect(refused.body.extensions.rateLimit).toMatchObject({ policy: "comments", remaining: 0 });
  expect((await blog.rest("GET", `/posts/${postId}`, maya.token)).headers).not.toHaveProperty("ratelimit");
});

test("reports the rest of likes, those of a lease included", async () => {
  const left = [];
  for (let n = 0; n < 26; n++) left.push(Number((await like()).headers["ratelimit-remaining"]));
  expect(left).toEqual([...Array.from({ length: 25 }, (_, n) => 24 - n), 0]);
});

test("does not count rejected writes, and counts each kind separately", async () => {
  const empty = () => blog.rest("POST", "/comments", maya.token, { postId, text: " " });
  expect(await statusesOf(6, empty)).toEqual(Array(6).fill(400));
  const update = () => blog.rest("PUT", `/posts/${postId}`, maya.token, { title: "On slate" });
  expect(await statusesOf(4, update)).toEqual([200, 200, 200, 429]);
  expect((await comment()).status).toBe(201);
});

test("counts likes in leases without exceeding the limit", async () => {
  const statuses = await statusesOf(30, like);
  expect(statuses.filter((status) => status === 200)).toHaveLength(25);
  expect(statuses.slice(-5)).toEqual(Array(5).fill(429));
});

test("concurrent requests cannot exceed the limit", async () => {
  const responses = await Promise.all(Array.from({ length: 12 }, comment));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(4);
  expect(await blog.db.comment.count({ where: { postId } })).toBe(4);
  const likes = await Promise.all(Array.from({ length: 40 }, like));
  expect(likes.filter(({ status }) => status === 200)).toHaveLength(25);
});

test("B5: a queued write fails if its session has ended", async () => {
  const authenticatedAt = performance.now();
  const viewer = { ...uncheckedViewer(maya.id), sessionId: crypto.randomUUID(), authenticatedAt };
  const ctx = ctxOf(blog, { viewer });
  const slow = () => new Promise<void>((done) => setTimeout(done, 400));
  const first = [1, 2].map(() => limitWrites(ctx, "comments", slow));
  const done: string[] = [];
  const waiting = limitWrites(ctx, "comments", async () => void done.push("defaced"));
  await expect(waiting).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await Promise.all(first);
  expect(done).toEqual([]);
});

test("limits an origin to three times the limit of an account, over all accounts", async () => {
  const origin = "192.0.2.33";
  const write = (id: string) => {
    return limitWrites(ctxOf(blog, { viewer: uncheckedViewer(id), origin }), "posts", async () => undefined);
  };
  for (let account = 0; account < 3; account++) for (let n = 0; n < 3; n++) await write(`account-${account}`);
  await expect(write("account-11")).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("does not limit reads", async () => {
  const read = () => blog.rest("GET", "/posts", maya.token);
  expect(new Set(await statusesOf(100, read))).toEqual(new Set([200]));
});

test("RATE_LIMITS=off disables the limits", async () => {
  Object.assign(blog.services, { rateLimitsEnabled: false });
  expect(await statusesOf(6, comment)).toEqual(Array(6).fill(201));
});

test("W2: a changed description of a picture counts by the posts that show it, and leaves them in the cache until they are rendered", async () => {
  Object.assign(blog.services, { writeLimits: { drafts: 101 } });
  const [one] = await blog.db.post.findMany({ where: { id: postId } });
  const pictureId = one!.imageId;
  await blog.db.upload.create({ data: { pictureId, userId: maya.id, alt: "" } });
  await blog.pool.query(
    `WITH made AS (INSERT INTO "Picture" (id, width, height, widths, placeholder)
       SELECT gen_random_uuid(), 64, 48, '{64}', '' FROM generate_series(1, 1005) RETURNING id)
     INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "createdAt", "updatedAt")
       SELECT gen_random_uuid(), 'A wall', $1, $2, $3, id, now(), now() FROM made`,
    [`![](/media/${pictureId.slice(0, 2)}/${pictureId}/picture.jpg)`, one!.category, maya.id],
  );
  await blog.pool.query(`UPDATE "PostHtml" SET version = 1`);
  const client = await blog.pool.connect();
  const tags: string[] = [];
  client.on("notification", ({ payload = "" }) => tags.push(...payload.split(",")));
  await client.query("LISTEN blog_changes");
  const query = `mutation { updatePictureAlt(id: "${pictureId}", alt: "Slate") { alt } }`;
  const headers = { "content-type": "application/json", "x-graphql-cost": "1" };
  const change = async () => (await blog.send("POST", "/graphql", maya.token, { query }, headers)).body;
  const { data, extensions } = await change();
  expect([data.updatePictureAlt.alt, extensions.rateLimit.remaining]).toEqual(["Slate", 0]);
  await client.query("UNLISTEN *");
  client.release();
  expect(tags).toEqual([]);
  expect((await change()).errors[0].extensions.code).toBe("RATE_LIMITED");
});

test("writers of many IP addresses who wait for the lock of tags leave connections to others", async () => {
  Object.assign(blog.services, { writeLimits: { posts: 30, comments: 300 } });
  const headers = { "content-type": "application/json" };
  const authors = await Promise.all(Array.from({ length: 12 }, () => blog.signUp()));
  const posts = await Promise.all(authors.map(({ id }) => createPost(blog.db, { userId: id })));
  const locked = await blog.pool.connect();
  await locked.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('tags', 0))");
  const writes = posts.map(({ id }, n) => {
    const token = authors[n]!.token;
    return blog.send("PUT", `/api/posts/${id}`, token, { tags: ["slate"] }, headers, `192.0.2.${n}`);
  });
  const countWaiting = () =>
    query(
      blog.url,
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    ).then((rows) => rows.length);
  await expect.poll(countWaiting).toBe(3);
  await new Promise((done) => setTimeout(done, 300));
  expect(await countWaiting()).toBe(3);
  const began = performance.now();
  expect((await comment()).status).toBe(201);
  expect((await blog.rest("GET", `/users/profile/${maya.id}`)).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(2_000);
  await locked.query("COMMIT");
  locked.release();
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(authors.map(() => 200));
});

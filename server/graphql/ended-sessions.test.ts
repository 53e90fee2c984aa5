import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BlogError } from "../errors.ts";
import { queueSearch } from "../domain/lists/lists.ts";
import { deletePost } from "../domain/posts/post-changes.ts";
import { writePosts } from "../domain/posts/write-queue.ts";
import { bulkheadCounts } from "../queue.ts";
import { ctxOf, HOUR } from "../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";
import { blankPicture, createCategory, createPost } from "../testing/factories.ts";
import { acquirePermit } from "./endpoint/response-size.ts";

type Holder = Parameters<typeof acquirePermit>[1];

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
  blog.services.rateLimitsEnabled = false;
  await createCategory(blog.db, "Craft");
});

const content = { title: "On moss", description: "It grows where it is left alone.", category: "Craft" };
/** Holds a permit for operations of this cost, from the address of the tests. */
async function holdPermit(cost: number): Promise<() => void> {
  const holder = { ctx: { origin: "127.0.0.1" }, releases: [] as (() => void)[] } as Holder;
  const stats = { cost, texts: 0, files: 0, schema: 0, depth: 1, aliases: 0, directives: 0 };
  await acquirePermit(stats, holder, "query");
  return () => holder.releases.forEach((release) => release());
}

const newDraft = (id: string) =>
  blog.db.draft.create({
    data: { ...content, user: { connect: { id } }, picture: { create: blankPicture() } },
  });

describe("B1: a document whose session ends meanwhile", () => {
  const inAWeek = new Date(Date.now() + 7 * 24 * HOUR).toISOString();
  const linkOf = (id: string) => `createPreviewLink(draftId: "${id}") { id }`;
  const timeOf = (id: string) => `scheduleDraft(id: "${id}", version: 1, publishAt: "${inAWeek}") { id }`;

  test.each([linkOf, timeOf])("shares no draft afterwards", async (write) => {
    const author = await blog.signUp();
    const { id } = await newDraft(author.id);
    const document = `mutation { logoutEverywhere { message } late: ${write(id)} }`;
    const { body } = await blog.gql(document, {}, author.token);
    expect(body.errors[0].extensions.code).toBe("UNAUTHENTICATED");
  });

  test("reads nothing of the account afterwards, and ends no newer session", async () => {
    const [author, thief] = [await blog.signUp(), await blog.signUp()];
    await newDraft(author.id);
    const resets = [1, 2, 3, 4].map(
      (n) => `r${n}: requestPasswordReset(email: "${n}@example.com") { message }`,
    );
    const login = `login(input: { email: "${thief.email}", password: "${PASSWORD}" })
      { viewer { drafts { totalCount } } }`;
    const read = (end: string) =>
      blog.gql(
        `mutation { ${end} ${resets.join(" ")} ${login} late: logoutEverywhere { message } }`,
        {},
        author.token,
      );
    const { body } = await read("logout { message }");
    const errors = body.errors.map(({ path, extensions }: any) => [path.join("."), extensions.code]);
    expect(errors).toEqual([["login.viewer.drafts", "UNAUTHENTICATED"]]);
    expect(await blog.db.session.count({ where: { userId: author.id } })).toBe(0);
  });

  test("leaves neither a link nor a schedule, at whatever moment it ends", async () => {
    const author = await blog.signUp();
    const drafts = await Promise.all(Array.from({ length: 24 }, () => newDraft(author.id)));
    const writing = drafts.map(({ id }, n) =>
      blog.gql(`mutation { ${n % 2 ? linkOf(id) : timeOf(id)} }`, {}, author.token),
    );
    await Promise.race(writing);
    await blog.gql("mutation { logoutEverywhere { message } }", {}, author.token);
    await Promise.all(writing);
    const where = { userId: author.id };
    expect(await blog.db.previewLink.count({ where: { draft: where } })).toBe(0);
    expect(await blog.db.draft.count({ where: { ...where, publishAt: { not: null } } })).toBe(0);
  });

  test("writes nothing else later than 250 ms after its authentication", async () => {
    const author = await blog.signUp();
    const { id } = await createPost(blog.db, { userId: author.id });
    const viewer = {
      ...{ id: author.id, isAdmin: false, sessionId: crypto.randomUUID(), signedInAt: new Date() },
      authenticatedAt: performance.now() - 300,
    };
    await expect(deletePost(ctxOf(blog, { viewer }), id)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

test.each(["interpreted", "compiled"])(
  "R23B: a query that waits for a list, %s, tells nothing that was written since",
  async (how) => {
    const author = await blog.signUp();
    const document = `query ${how} { viewer { drafts { nodes { title } } } posts(search: "moss") { totalCount } }`;
    if (how === "compiled") for (let n = 0; n < 3; n++) await blog.gql(document, {}, author.token);
    let release = () => {};
    const others = queueSearch(() => new Promise<void>((done) => (release = done)), "127.0.0.1");
    const late = blog.gql(document, {}, author.token);
    await expect.poll(() => bulkheadCounts.search.waiting).toBe(1);
    await sleep(260);
    await blog.gql("mutation { logoutEverywhere { message } }", {}, author.token);
    release();
    await others;
    const { data, errors, extensions } = (await late).body;
    expect([data, errors.map((error: any) => error.extensions.code)]).toEqual([null, ["UNAUTHENTICATED"]]);
    expect(extensions).toEqual({ session: "ended" });
  },
);

test("R23B: the result of a change that waits for its permit shows nothing of the account", async () => {
  const author = await blog.signUp();
  const { id } = await createPost(blog.db, { userId: author.id });
  const others = await Promise.all(Array.from({ length: 8 }, () => holdPermit(100)));
  const query = `mutation { bookmarkPost(id: "${id}") { title revisions(first: 50) { nodes { title } } } }`;
  const late = blog.gql(query, {}, author.token);
  await expect.poll(() => bulkheadCounts.quick_operations.waiting).toBe(1);
  await sleep(260);
  await blog.gql("mutation { logoutEverywhere { message } }", {}, author.token);
  for (const release of others) release();
  const { data, errors } = (await late).body;
  expect(errors.map(({ path, extensions }: any) => [path.join("."), extensions.code])).toEqual([
    ["bookmarkPost.revisions", "UNAUTHENTICATED"],
  ]);
  expect(data).toBeNull();
});

describe("F8: a change that waits while all sessions of its account are ended", () => {
  const writes = {
    updatePost: (post: string) => `updatePost(id: "${post}", input: { title: "Defaced" }) { id }`,
    restoreRevision: (_post: string, revision: string) => `restoreRevision(id: "${revision}") { id }`,
    publishDraft: (_post: string, _revision: string, draft: string) =>
      `publishDraft(id: "${draft}", version: 1) { id }`,
  };

  test.each(Object.keys(writes) as (keyof typeof writes)[])("%s is not made", async (name) => {
    const author = await blog.signUp();
    const post = await createPost(blog.db, { userId: author.id, title: "Before" });
    await blog.db.post.update({ where: { id: post.id }, data: { title: "Present" } });
    const revision = await blog.db.revision.findFirstOrThrow({ where: { postId: post.id } });
    const draft = await newDraft(author.id);
    let release = () => {};
    const others = writePosts(
      blog.services,
      () => new Promise<void>((done) => (release = done)),
      "127.0.0.1",
    );
    const query = `mutation { late: ${writes[name](post.id, revision.id, draft.id)} }`;
    const late = blog.gql(query, {}, author.token);
    await expect.poll(() => bulkheadCounts.post_writes.waiting).toBe(1);
    expect((await blog.gql("mutation { logoutEverywhere { message } }", {}, author.token)).body.errors).toBe(
      undefined,
    );
    release();
    await others;
    expect((await late).body.errors[0].extensions.code).toBe("UNAUTHENTICATED");
    const posts = await blog.db.post.findMany({ where: { userId: author.id } });
    expect(posts.map(({ title }) => title)).toEqual(["Present"]);
  });
});

test("F5: deletions of one post by many requests occupy one connection, and end with the session", async () => {
  const author = await blog.signUp();
  const { id } = await createPost(blog.db, { userId: author.id });
  const { writes } = blog.services;
  let [running, most, calls] = [0, 0, 0];
  const findUploadsOfPost: typeof writes.findUploadsOfPost = async (tx, postId) => {
    [running, calls] = [running + 1, calls + 1];
    most = Math.max(most, running);
    await sleep(200);
    running--;
    return writes.findUploadsOfPost(tx, postId);
  };
  blog.services.writes = { ...writes, findUploadsOfPost };
  onTestFinished(() => void (blog.services.writes = writes));
  const deletions = Array.from({ length: 20 }, () => blog.rest("DELETE", `/posts/${id}`, author.token));
  await expect.poll(() => calls).toBe(1);
  await blog.gql("mutation { logoutEverywhere { message } }", {}, author.token);
  expect((await Promise.all(deletions)).map(({ status }) => status)).toEqual(Array(20).fill(401));
  expect([most, calls]).toEqual([1, 1]);
});

test("a query that waits while all sessions of its account are ended reads nothing of it", async () => {
  const author = await blog.signUp();
  await newDraft(author.id);
  const aliases = Array.from({ length: 11 }, (_, n) => `a${n}: id`).join(" ");
  const read = () => blog.gql(`{ viewer { email drafts { totalCount } ${aliases} } }`, {}, author.token);
  for (let request = 1; request <= 2; request++)
    expect((await read()).body.data.viewer).toMatchObject({ email: author.email, drafts: { totalCount: 1 } });
  await expect.poll(() => bulkheadCounts.operations.running).toBe(0);
  const release = await holdPermit(2_000);
  const late = read();
  await expect.poll(() => bulkheadCounts.operations.waiting).toBe(1);
  await blog.gql("mutation { logoutEverywhere { message } }", {}, author.token);
  await sleep(300);
  release();
  expect((await late).body).toMatchObject({ data: { viewer: null }, extensions: { session: "ended" } });
});

test.each(["new", "compiled"])(
  "a %s query whose session cannot be looked up again gets UNAVAILABLE",
  async (kind) => {
    const author = await blog.signUp();
    const { dbOf } = blog.services;
    onTestFinished(() => void (blog.services.dbOf = dbOf));
    const query = `{ viewer { email } posts(search: "${kind}") { nodes { id } } }`;
    if (kind === "compiled")
      for (let n = 0; n < 2; n++)
        expect((await blog.gql(query, {}, author.token)).body.errors).toBeUndefined();
    const others = queueSearch(() => sleep(400), "127.0.0.1");
    const count = () => Promise.reject(new BlogError("UNAVAILABLE", "the server is busy"));
    blog.services.dbOf = () => ({ session: { count } }) as unknown as ReturnType<typeof dbOf>;
    const { status, body } = await blog.gql(query, {}, author.token);
    await others;
    expect([status, body.data, body.errors?.[0].extensions.code]).toEqual([200, null, "UNAVAILABLE"]);
  },
);

test("a read of REST during which all sessions of its account are ended is refused", async () => {
  const admin = await blog.signUp({ isAdmin: true });
  const { queries } = blog.services;
  const countList: typeof queries.countList = async (selection) => {
    await blog.gql("mutation { logoutEverywhere { message } }", {}, admin.token);
    await sleep(300);
    return queries.countList(selection);
  };
  blog.services.queries = { ...queries, countList };
  onTestFinished(() => void (blog.services.queries = queries));
  expect((await blog.rest("GET", "/users/profile", admin.token)).status).toBe(401);
});

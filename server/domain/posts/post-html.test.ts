import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { JOBS } from "../../event-loop/time-budget.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { blankPicture, createCategory, createPost } from "../../testing/factories.ts";
import { makePicture } from "../../testing/pictures.ts";
import { renderPending, renderPost, startRendering } from "./post-html.ts";

/** Security finding C2: the former renderer did not terminate on this text. */
const HOSTILE = `A short post: \`\` ${"\\`".repeat(45)}`;

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  await createCategory(blog.db, "Craft");
});

const htmlOf = async (id: string) =>
  (await blog.gql("query ($id: ID!) { post(id: $id) { descriptionHtml } }", { id })).body.data.post
    .descriptionHtml as string;

const rowOf = (postId: string) => blog.db.postHtml.findUniqueOrThrow({ where: { postId } });

async function write(description: string): Promise<string> {
  const { body } = await blog.restForm("POST", "/posts", maya.token, [
    { name: "image", value: await makePicture(), filename: "a.jpg" },
    ...Object.entries({ title: "On slate", description, category: "Craft" }).map(([name, value]) => ({
      name,
      value,
    })),
  ]);
  return body.id as string;
}

describe("a post's HTML", () => {
  // A network waits after long work, such as the start of the thread.
  beforeAll(async () => void (await blog.services.markdown.render("A text.", "warm-up", {}, "warm-up")));

  test("is stored before the response and updated on each change of the text", async () => {
    const id = await write("It *splits* where it was laid down.");
    expect(await htmlOf(id)).toBe('<p dir="auto">It <em>splits</em> where it was laid down.</p>');
    await blog.rest("PUT", `/posts/${id}`, maya.token, { description: "It **splits** well, most days." });
    expect(await htmlOf(id)).toBe('<p dir="auto">It <strong>splits</strong> well, most days.</p>');
    expect(await rowOf(id)).toMatchObject({ version: blog.services.markdown.version });
  });

  test("does not change with other fields", async () => {
    const id = await write("It *splits* where it was laid down.");
    const before = await rowOf(id);
    await blog.rest("PUT", `/posts/${id}`, maya.token, { title: "On slate, again" });
    await blog.rest("PUT", `/posts/like/${id}`, maya.token);
    expect(await rowOf(id)).toEqual(before);
  });

  test("falls back to plain paragraphs until it is rendered, also in lists and mutations", async () => {
    const post = await createPost(blog.db, { userId: maya.id, description: "One <b>\n\n*two*" });
    const plain = '<p dir="auto">One &lt;b&gt;</p>\n<p dir="auto">*two*</p>';
    expect(await htmlOf(post.id)).toBe(plain);
    const { body } = await blog.gql("{ posts(first: 1) { nodes { id descriptionHtml } } }");
    expect(body.data.posts.nodes).toEqual([{ id: post.id, descriptionHtml: plain }]);
    const like = "mutation ($id: ID!) { likePost(id: $id) { descriptionHtml } }";
    expect((await blog.gql(like, { id: post.id }, maya.token)).body.data.likePost.descriptionHtml).toBe(
      plain,
    );
    while (await renderPending(blog.services));
    expect(await htmlOf(post.id)).toBe('<p dir="auto">One &#x3C;b></p>\n<p dir="auto"><em>two</em></p>');
  });

  test("is reset by an SQL update of the text", async () => {
    const id = await write("It *splits* where it was laid down.");
    await blog.pool.query(`UPDATE "Post" SET description = 'A *new* text.' WHERE id = $1`, [id]);
    expect(await rowOf(id)).toMatchObject({ html: null, version: 0 });
    await renderPending(blog.services);
    expect(await htmlOf(id)).toBe('<p dir="auto">A <em>new</em> text.</p>');
  });

  test("is not stored if the text has changed meanwhile", async () => {
    const id = await write("It *splits* where it was laid down.");
    const client = await blog.pool.connect();
    await client.query("BEGIN");
    await client.query(`UPDATE "Post" SET description = 'A *new* text.' WHERE id = $1`, [id]);
    const late = renderPost(
      blog.services,
      { id, description: "It *splits* where it was laid down.", userId: maya.id },
      maya.id,
      "203.0.113.9",
    );
    await new Promise((done) => setTimeout(done, 200));
    await client.query("COMMIT");
    client.release();
    await late;
    expect(await rowOf(id)).toMatchObject({ html: null, version: 0 });
  });

  test("of an older renderer is served until the job renders it again", async () => {
    const id = await write("It *splits* where it was laid down.");
    await blog.db.postHtml.update({ where: { postId: id }, data: { html: "<p>old</p>", version: 0 } });
    expect(await htmlOf(id)).toBe("<p>old</p>");
    await renderPending(blog.services);
    expect(await htmlOf(id)).toBe('<p dir="auto">It <em>splits</em> where it was laid down.</p>');
  });

  test("is left to the job while its author keeps changing its pictures", async () => {
    const picture = await blog.db.picture.create({ data: blankPicture() });
    const upload = { pictureId: picture.id, userId: maya.id, unusedSince: null, picture };
    const path = `/media/${picture.id.slice(0, 2)}/${picture.id}/picture.jpg`;
    const id = await write(`A picture: ![](${path})`);
    await blog.db.postHtml.update({ where: { postId: id }, data: { version: 0 } });
    const uploads = vi.spyOn(blog.services.queries, "uploads");
    onTestFinished(() => uploads.mockRestore());
    let changes = 0;
    uploads.mockImplementation(
      async () => new Map([[picture.id, { ...upload, alt: `Change ${++changes}` }]]),
    );
    expect(await renderPending(blog.services)).toBe(false);
    expect(changes).toBe(3);
    expect(await rowOf(id)).toMatchObject({ version: 0 });
  });

  test("is rendered in turn, also while an author changes the pictures of many posts", async () => {
    const userId = maya.id;
    const outdateAll = () => blog.db.postHtml.updateMany({ data: { version: 0, html: "<p>old</p>" } });
    const { id } = await createPost(blog.db, { userId, description: "The *oldest* one." });
    for (let n = 0; n < 21; n++) await createPost(blog.db, { userId });
    const progress = startRendering();
    await outdateAll();
    expect(await renderPending(blog.services, progress)).toBe(true);
    expect(await htmlOf(id)).not.toContain("<em>");
    await outdateAll();
    await renderPending(blog.services, progress);
    expect(await htmlOf(id)).toContain("<em>oldest</em>");

    await outdateAll();
    const scheduled = await createPost(blog.db, { userId, description: "A *scheduled* one." });
    await renderPending(blog.services, progress);
    expect(await htmlOf(scheduled.id)).toContain("<em>scheduled</em>");
  });

  test("R29A: of each author's first text is made before that of anybody's second", async () => {
    await blog.db.post.deleteMany();
    const noor = await blog.signUp();
    for (let n = 0; n < 25; n++) await createPost(blog.db, { userId: maya.id });
    const { id } = await createPost(blog.db, { userId: noor.id, description: "The *only* one." });
    await blog.db.postHtml.updateMany({ data: { version: 0, html: null } });
    const [first, second] = await blog.services.queries.unrenderedPosts(20, null);
    expect([first, second].map((post) => post?.userId).sort()).toEqual([maya.id, noor.id].sort());
    await renderPending(blog.services);
    expect(await htmlOf(id)).toContain("<em>only</em>");
  });

  test("B46-1: of the newest text of an author is made first, as after a restore", async () => {
    await blog.db.post.deleteMany();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await createPost(blog.db, { userId: maya.id })).id);
    const found = await blog.services.queries.unrenderedPosts(3, null);
    expect(found.map(({ id }) => id)).toEqual(ids.toSorted().toReversed());
  });

  test("B47-3: of an author's text between thousands of another is made soon", async () => {
    await blog.db.post.deleteMany();
    const { id: userId } = await blog.signUp();
    await blog.pool.query(
      `WITH texts AS (
        SELECT gen_random_uuid() AS picture, rpad('0198' || lpad(to_hex(1000 * n), 8, '0'), 32, '0')::uuid AS id,
          CASE n WHEN 2100 THEN $1 ELSE $2 END::uuid AS author FROM generate_series(1, 4200) n),
      pictures AS (INSERT INTO "Picture" (id, width, height, widths, placeholder) SELECT picture, 1, 1, '{}', '' FROM texts)
      INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "updatedAt")
        SELECT id, 'Slate', 'A text.', 'Craft', author, picture, now() FROM texts`,
      [userId, maya.id],
    );
    const find = () => blog.services.queries.unrenderedPosts(2, null);
    const isFound = async () => (await find()).some((post) => post.userId === userId);
    let tries = 1;
    while (!(await isFound())) expect(tries++).toBeLessThan(60);
  });

  test("R30A: authors and kinds take turns, also if each text takes as long as the job may", async () => {
    await blog.db.post.deleteMany();
    const { id: outdated } = await createPost(blog.db, { userId: maya.id, description: "An *old* one." });
    await blog.db.postHtml.updateMany({ data: { version: 0, html: "<p>old</p>" } });
    const userIds = [maya.id, (await blog.signUp()).id, (await blog.signUp()).id];
    for (const userId of [...userIds, ...userIds]) await createPost(blog.db, { userId });
    const progress = startRendering();
    const rendered = [];
    for (let run = 0; run < 4; run++) {
      await renderPending(blog.services, progress, 0);
      rendered.push(progress.isOutdatedNext ? progress.author : outdated);
    }
    expect(rendered[1]).toBe(outdated);
    expect([rendered[0], rendered[2], rendered[3]].sort()).toEqual(userIds.sort());
  });

  test("is deleted with the post", async () => {
    const id = await write("It *splits* where it was laid down.");
    await blog.rest("DELETE", `/posts/${id}`, maya.token);
    expect(await blog.db.postHtml.count({ where: { postId: id } })).toBe(0);
  });
});

test("C2: a post that blocked the old renderer does not delay requests", async () => {
  const began = performance.now();
  const id = await write(HOSTILE);
  expect(await htmlOf(id)).toMatch(/^<p dir="auto">A short post: /);
  const page = await blog.app.inject({ url: `/posts/details/${id}`, headers: { accept: "text/html" } });
  expect(page.statusCode).toBe(200);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test("the renderer rejects further texts of an account while one is rendered", async () => {
  const texts = ["one", "two", "three"].map((text) => blog.services.markdown.render(text, "maya"));
  expect((await Promise.all(texts)).map((html) => html !== null)).toEqual([true, false, false]);
});

test("R26B: a post does not wait for previews, and previews of IP addresses take turns", async () => {
  const finished: string[] = [];
  const { markdown } = blog.services;
  await markdown.render("*none*", "maya");
  const slow = `[${"a ".repeat(9_000)}`;
  const preview = (owner: string, origin: string) =>
    markdown.preview(slow, owner, {}, origin).then(() => finished.push(owner));
  const previews = Array.from({ length: 4 }, (_, n) => preview(`writer ${n}`, "192.0.2.1"));
  const other = preview("other", "192.0.2.2");
  const post = markdown.render("*one*", "maya").then(() => finished.push("maya"));
  await Promise.all([...previews, other, post]);
  expect(finished.indexOf("maya")).toBeLessThan(2);
  expect(finished.indexOf("other")).toBeLessThan(3);
});

test("A45-2: a post does not wait for those that a job renders", async () => {
  const finished: string[] = [];
  const { markdown } = blog.services;
  const render = (text: string, owner: string, share: string) =>
    markdown.render(text, owner, {}, share).then(() => finished.push(owner));
  await markdown.render("*none*", "maya");
  const slow = `[${"a ".repeat(9_000)}`;
  const jobs = ["job 1", "job 2"].map((owner) => render(slow, owner, JOBS));
  await Promise.all([...jobs, render("*one*", "maya", "192.0.2.1")]);
  expect(finished[0]).toBe("maya");
});

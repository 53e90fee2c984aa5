import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addAvif, completePicture } from "../domain/pictures.ts";
import { renderPending } from "../domain/posts/post-html.ts";
import { removeAbandonedUploads } from "../domain/writing/uploads.ts";
import { after, DAY, HOUR } from "../testing/accounts.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createPost } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let noor: typeof maya;
const file = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
  blog.services.rateLimitsEnabled = false;
  await createCategory(blog.db, "Craft");
});
beforeEach(async () => {
  [maya, noor] = [await blog.signUp(), await blog.signUp()];
});

const call = (query: string, variables: object = {}, token: string | null = maya.token) =>
  blog.call(query, variables, token);

const post = "{ id title description category createdAt updatedAt image { url alt } user { id } }";
const draftFields = "{ id version title description category alt postUpdatedAt image { url } post { id } }";
const publish = (id: string, version: number, token = maya.token) =>
  call(
    `mutation ($id: ID!, $version: Int!) { publishDraft(id: $id, version: $version) ${post} }`,
    { id, version },
    token,
  );
const save = (variables: object) =>
  call(
    `mutation ($id: ID, $version: Int, $input: DraftInput!) {
      saveDraft(id: $id, version: $version, input: $input) ${draftFields} }`,
    variables,
  );
const editPost = (id: string) =>
  call(`mutation ($id: ID!) { editPost(id: $id) ${draftFields} }`, { id }, maya.token);

async function upload(alt = "A wall", token = maya.token) {
  const query = `mutation ($image: Upload!, $alt: String!) {
    uploadPicture(image: $image, alt: $alt) { id alt markdown image { url alt } } }`;
  const { body } = await blog.gqlUpload(
    { query, variables: { image: null, alt }, file, path: "variables.image" },
    token,
  );
  return body.errors ? body.errors[0] : body.data.uploadPicture;
}

const content = { title: "On moss", description: "It grows where it is left alone.", category: "Craft" };
async function newDraft(input: object = {}) {
  return save({ input: { ...content, picture: (await upload()).id, ...input } });
}
const isStored = (id: string) => existsSync(join(blog.mediaFolder, id.slice(0, 2), id));

describe("publishing a draft", () => {
  test("creates the post at once, with its cover, and leaves no draft", async () => {
    const draft = await newDraft({ category: " craft ", alt: "" });
    const published = await publish(draft.id, 1);
    expect(published).toMatchObject({ ...content, user: { id: maya.id }, image: { alt: "A wall" } });
    expect(published.image.url).toBe(draft.image.url);
    expect(await blog.db.draft.count({ where: { userId: maya.id } })).toBe(0);
    expect((await blog.rest("GET", `/posts/${published.id}`)).body.title).toBe("On moss");
  });

  test("returns the same post when it is repeated, also at the same time", async () => {
    const draft = await newDraft();
    const responses = await Promise.all([1, 2, 3].map(() => publish(draft.id, 1)));
    const again = await publish(draft.id, 1);
    for (const each of responses) expect(each).toEqual(again);
    expect(await blog.db.post.count({ where: { userId: maya.id } })).toBe(1);
    expect((await publish(draft.id, 1, noor.token)).extensions.code).toBe("NOT_FOUND");
  });

  test("refuses invalid posts, and preserves the draft", async () => {
    for (const [input, field] of [
      [{ title: "x" }, "title"],
      [{ description: "short" }, "description"],
      [{ category: "Nowhere" }, "category"],
      [{ picture: null }, "image"],
    ] as const) {
      const draft = await newDraft(input);
      const refusal = await publish(draft.id, 1);
      expect(refusal.extensions).toMatchObject({
        code: "BAD_USER_INPUT",
        fields: { [field]: refusal.message },
      });
      expect(await blog.db.draft.count({ where: { id: draft.id } })).toBe(1);
    }
    expect(await blog.db.post.count({ where: { userId: maya.id } })).toBe(0);
  });

  test("refuses another version with the draft as it is", async () => {
    const draft = await newDraft();
    await save({ id: draft.id, version: 1, input: { title: "Newer" } });
    const refusal = await publish(draft.id, 1);
    expect(refusal.extensions).toMatchObject({ code: "CONFLICT", current: { version: 2, title: "Newer" } });
    expect(await publish(draft.id, 2)).toMatchObject({ title: "Newer" });
  });

  test("gives a cover to one post only, and takes none of another account", async () => {
    const { id: picture } = await upload();
    const [one, two] = [await newDraft({ picture }), await newDraft({ picture })];
    expect(await publish(one.id, 1)).toMatchObject({ title: "On moss" });
    expect((await publish(two.id, 1)).extensions.code).toBe("CONFLICT");
    const { id: noors } = await upload("", noor.token);
    for (const other of [noors, crypto.randomUUID(), "1"])
      expect((await save({ input: { picture: other } })).extensions.fields).toHaveProperty("picture");
  });
});

describe("the draft of a published post", () => {
  test("replaces the post, whose earlier state becomes a revision", async () => {
    const { id } = await publish((await newDraft()).id, 1);
    const draft = await editPost(id);
    expect(draft).toMatchObject({ ...content, post: { id }, alt: "A wall" });
    expect(await editPost(id)).toEqual(draft);
    const picture = (await upload("A roof")).id;
    const before = (await blog.db.post.findUniqueOrThrow({ where: { id } })).imageId;
    await save({ id: draft.id, version: 1, input: { title: "On fern", picture, alt: "" } });
    expect(await call(`query ($id: ID!) { post(id: $id) ${post} }`, { id })).toMatchObject(content);
    const published = await publish(draft.id, 2);
    expect(published).toMatchObject({ id, title: "On fern", image: { alt: "A roof" } });
    expect(await publish(draft.id, 2)).toEqual(published);
    expect([isStored(before), isStored(picture)]).toEqual([false, true]);
    expect(await blog.db.revision.findMany({ where: { postId: id } })).toMatchObject([
      { ...content, userId: maya.id },
    ]);
  });

  test("is refused after the post was changed, until the writer has seen that state", async () => {
    const { id } = await publish((await newDraft()).id, 1);
    const draft = await editPost(id);
    await save({ id: draft.id, version: 1, input: { title: "Mine" } });
    await call(`mutation ($id: ID!) { updatePost(id: $id, input: { title: "Theirs" }) { id } }`, { id });
    const { extensions } = await publish(draft.id, 2);
    expect(extensions).toMatchObject({
      code: "CONFLICT",
      current: {
        ...{ id: draft.id, version: 2, title: "Mine" },
        post: { ...content, id, title: "Theirs" },
      },
    });
    const postUpdatedAt = extensions.current.post.updatedAt;
    const based = await save({ id: draft.id, version: 2, input: { postUpdatedAt } });
    expect(await publish(draft.id, based.version)).toMatchObject({ id, title: "Mine" });
    const titles = await blog.db.revision.findMany({ where: { postId: id }, orderBy: { createdAt: "asc" } });
    expect(titles.map(({ title }) => title)).toEqual(["On moss", "Theirs"]);
  });

  test("is made once for concurrent requests, and anew if it was never changed", async () => {
    const { id } = await publish((await newDraft()).id, 1);
    const drafts = await Promise.all([1, 2, 3].map(() => editPost(id)));
    expect(new Set(drafts.map((draft) => draft.id)).size).toBe(1);
    await call(`mutation ($id: ID!) { updatePost(id: $id, input: { title: "Later" }) { id } }`, { id });
    expect(await editPost(id)).toMatchObject({ title: "Later", version: 1 });
    expect(await blog.db.draft.count({ where: { postId: id } })).toBe(1);
  });
});

describe("a picture of a text", () => {
  test("has an alternative text, which its author can change, and Markdown", async () => {
    const picture = await upload("A [wall]\nof *slate*");
    const path = new URL(picture.image.url).pathname;
    expect(picture.markdown).toBe(`![A \\[wall\\] of \\*slate\\*](${path})`);
    const change = (token: string) =>
      call(
        `mutation ($id: ID!) { updatePictureAlt(id: $id, alt: "") { alt markdown } }`,
        { id: picture.id },
        token,
      );
    expect((await change(noor.token)).extensions.code).toBe("NOT_FOUND");
    expect(await change(maya.token)).toEqual({ alt: "", markdown: `![](${path})` });
    expect((await upload("x".repeat(501))).extensions.code).toBe("BAD_USER_INPUT");
  });

  test("stays as long as a draft, a post or a revision shows it, and a day longer", async () => {
    const [shown, unused] = [await upload(), await upload()];
    const text = `A wall: ${shown.markdown} and more.`;
    const clean = (ahead: number) => removeAbandonedUploads({ ...blog.services, now: after(ahead) });
    const draft = await newDraft({ description: text });
    await clean(0);
    await clean(23 * HOUR);
    expect([isStored(shown.id), isStored(unused.id)]).toEqual([true, true]);
    await clean(25 * HOUR);
    expect([isStored(shown.id), isStored(unused.id)]).toEqual([true, false]);
    const { id } = await publish(draft.id, 1);
    await call(`mutation ($id: ID!) { updatePost(id: $id, input: { description: "Without any." }) { id } }`, {
      id,
    });
    await clean(2 * DAY);
    expect(isStored(shown.id)).toBe(true);
    await blog.rest("DELETE", `/posts/${id}`, maya.token);
    expect(isStored(shown.id)).toBe(false);
    expect(await blog.db.upload.count({ where: { userId: maya.id } })).toBe(0);
  });

  test("is found within the time of a statement, also behind hundreds of long texts", async () => {
    for (let n = 0; n < 12; n++) await upload();
    const post = await createPost(blog.db, { userId: maya.id });
    const insert = `
      INSERT INTO "Revision" (id, "postId", "userId", title, description, category, "createdAt")
      SELECT gen_random_uuid(), $1, $2, 'A', (
        SELECT string_agg('/media/ab/' || gen_random_uuid() || '/', '') || round FROM generate_series(1, 900)
      ), 'A', now() FROM generate_series(1, 5) round`;
    for (let n = 0; n < 20; n++) await blog.pool.query(insert, [post.id, maya.id]);
    expect(await removeAbandonedUploads({ ...blog.services, now: after(DAY) })).toBe(0);
    expect((await blog.rest("DELETE", `/posts/${post.id}`, maya.token)).status).toBe(200);
    expect(await removeAbandonedUploads({ ...blog.services, now: after(3 * DAY) })).toBe(12);
  });

  test("is shown alike by post, draft, preview, page and feed, in the texts of its author only", async () => {
    const picture = await upload("A wall");
    const { pathname, origin } = new URL(picture.image.url);
    const description = `It grows.\n\n![](${pathname} "Slate")`;
    const preview = (token: string) =>
      call("query ($text: String!) { previewMarkdown(text: $text) }", { text: description }, token);
    const html = await preview(maya.token);
    expect(html).toContain(`<figure dir="auto"><img src="${pathname}" alt="A wall" srcset="`);
    expect(html).toContain(`width="640" height="480"`);
    const draft = await newDraft({ description });
    expect((await call(`{ draft(id: "${draft.id}") { descriptionHtml } }`)).descriptionHtml).toBe(html);
    const link = `mutation { createPreviewLink(draftId: "${draft.id}") { previewUrl } }`;
    const token = String((await call(link)).previewUrl)
      .split("/")
      .at(-1);
    const shared = await call(`{ preview(token: "${token}") { descriptionHtml } }`, {}, null);
    expect(shared.descriptionHtml).toBe(html);
    const { id } = await publish(draft.id, 1);
    const page = await blog.app.inject({ url: `/posts/details/${id}`, headers: { accept: "text/html" } });
    expect(page.body).toContain(html);
    const feed = (await blog.app.inject({ url: `/profile/${maya.id}/feed.json` })).json();
    const absolute = html.replaceAll("/media/", `${origin}/media/`);
    expect(feed.items[0].content_html).toBe(absolute);
    expect(await preview(noor.token)).toContain(`<a href="${pathname}"`);
  });

  test("changes in a post when its description or its files do", async () => {
    const picture = await upload("A wall");
    const { pathname } = new URL(picture.image.url);
    const { id } = await publish((await newDraft({ description: `It grows. ![](${pathname})` })).id, 1);
    const read = async () =>
      (await call(`query ($id: ID!) { post(id: $id) { descriptionHtml } }`, { id }))
        .descriptionHtml as string;
    expect(await read()).toContain('alt="A wall"');
    await call(`mutation ($id: ID!) { updatePictureAlt(id: $id, alt: "A roof") { id } }`, { id: picture.id });
    expect(await read()).toContain('alt="A wall"');
    await renderPending(blog.services);
    expect(await read()).toContain('alt="A roof"');
    expect(await read()).not.toContain(".avif");
    while (await completePicture(blog.services));
    while (await addAvif(blog.services));
    await renderPending(blog.services);
    expect(await read()).toMatch(/<source type="image\/avif" srcset="\/media\/\S+\.avif 160w/);
  });

  test("goes with its account, also where a text of another shows it", async () => {
    const picture = await upload();
    await blog.db.draft.create({ data: { userId: noor.id, description: picture.markdown } });
    await blog.rest("DELETE", `/users/profile/${maya.id}`, maya.token);
    expect(isStored(picture.id)).toBe(false);
  });
});

test("a preview of a text is the HTML that its post has, for accounts only", async () => {
  const description = "# Moss\n\n*grows* <script>alert(1)</script> [here](javascript:alert(1))";
  const preview = (token: string | null) =>
    call("query ($text: String!) { previewMarkdown(text: $text) }", { text: description }, token);
  const html = await preview(maya.token);
  expect(html).toContain("<em>grows</em>");
  expect(html).not.toMatch(/<script|javascript:/);
  const draft = await newDraft({ description });
  expect(await call(`{ draft(id: "${draft.id}") { descriptionHtml } }`)).toEqual({ descriptionHtml: html });
  const published = await publish(draft.id, 1);
  expect(await call(`{ post(id: "${published.id}") { descriptionHtml } }`)).toEqual({
    descriptionHtml: html,
  });
  expect((await preview(null)).extensions.code).toBe("UNAUTHENTICATED");
});

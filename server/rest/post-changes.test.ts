import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createComment, createLike, createPost } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let noor: typeof maya;
let admin: typeof maya;
const picture = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  noor = await blog.signUp({ username: "Noor" });
  admin = await blog.signUp({ username: "Ada", isAdmin: true });
  for (const title of ["Craft", "Places"]) await createCategory(blog.db, title);
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
const image = {
  url: expect.stringMatching(/^http:\/\/blog\.test\/media\/.+\/picture\.jpg$/),
  publicId: uuid,
};
const authorOf = ({ id, username }: { id: string; username: string }) => ({
  ...{ _id: id, id, username },
  profilePhoto: { url: "http://blog.test/default-photo.png", publicId: "default" },
});
const filesOf = ({ publicId }: { publicId: string }) => {
  const home = join(blog.mediaFolder, publicId.slice(0, 2), publicId);
  return existsSync(home) ? readdirSync(home).sort() : [];
};

const input = { title: " On slate ", description: "It splits where it was laid down.", category: "cRAFT" };
const form = (fields: object = input) => [
  { name: "image", value: picture, filename: "slate.jpg" },
  ...Object.entries(fields).map(([name, value]) => ({ name, value })),
];
const create = () => blog.restForm("POST", "/posts", maya.token, form());

test("a new post is returned trimmed, with the author's id and the category's stored title", async () => {
  const { status, body } = await create();
  expect(status).toBe(201);
  expect(body).toEqual({
    ...{ _id: uuid, id: body._id, title: "On slate", description: input.description, category: "Craft" },
    ...{ image, user: maya.id, likes: [], tags: [], createdAt: moment, updatedAt: moment },
  });
  expect(filesOf(body.image)).toEqual([".upload", "160.webp", "480.webp", "picture.jpg"]);
  const served = await blog.app.inject({ url: new URL(body.image.url).pathname });
  expect([served.statusCode, served.headers["content-type"]]).toEqual([200, "image/jpeg"]);
  expect(served.headers["cross-origin-resource-policy"]).toBe("cross-origin");
});

test("an edit returns the full post and changes only the given fields", async () => {
  const { body: post } = await create();
  await createComment(blog.db, { postId: post._id, userId: noor.id });
  const { status, body } = await blog.rest("PUT", `/posts/${post._id}`, maya.token, {
    title: " Renamed ",
    category: "places",
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...{ ...post, title: "Renamed", category: "Places", user: authorOf(maya), updatedAt: moment },
    image: { ...post.image, variants: expect.any(Array) },
    comments: [expect.objectContaining({ user: noor.id, username: "Noor" })],
  });
  expect(await blog.rest("GET", `/posts/${post._id}`)).toMatchObject({ body });
});

test.each([
  ["{}", {}],
  ["null", null],
  ["no body", undefined],
])("an edit accepts %s as body", async (_name, sent) => {
  const { body: post } = await create();
  const { status, body } = await blog.rest("PUT", `/posts/${post._id}`, maya.token, sent);
  expect(status).toBe(200);
  expect(body).toMatchObject({ title: "On slate", category: "Craft", user: authorOf(maya), comments: [] });
});

test("a new picture replaces the old one, whose files are deleted", async () => {
  const { body: post } = await create();
  await createLike(blog.db, { postId: post._id, userId: noor.id });
  const { status, body } = await blog.restForm(
    "PUT",
    `/posts/update-image/${post._id}`,
    maya.token,
    form({}),
  );
  expect(status).toBe(200);
  expect(body).toEqual({ ...post, image, likes: [noor.id], updatedAt: moment });
  expect(body.image.publicId).not.toBe(post.image.publicId);
  expect([filesOf(post.image), filesOf(body.image).length]).toEqual([[], 4]);
  expect(await blog.db.picture.count({ where: { id: post.image.publicId } })).toBe(0);
});

test.each(["its author", "an admin"])("%s deletes a post with its comments, likes and files", async (who) => {
  const { body: post } = await create();
  await createComment(blog.db, { postId: post._id, userId: noor.id });
  await createLike(blog.db, { postId: post._id, userId: noor.id });
  const { token } = who === "an admin" ? admin : maya;
  const { status, body } = await blog.rest("DELETE", `/posts/${post._id}`, token);
  expect([status, body]).toEqual([200, { message: "post has been deleted successfully", postId: post._id }]);
  const where = { postId: post._id };
  expect([await blog.db.comment.count({ where }), await blog.db.like.count({ where })]).toEqual([0, 0]);
  expect(await blog.db.picture.count({ where: { id: post.image.publicId } })).toBe(0);
  expect(filesOf(post.image)).toEqual([]);
  expect((await blog.rest("GET", `/posts/${post._id}`)).status).toBe(404);
  expect((await blog.rest("DELETE", `/posts/${post._id}`, token)).status).toBe(404);
});

test("forbidden changes are refused with the contract's messages", async () => {
  const post = await createPost(blog.db, { userId: maya.id });
  for (const { token } of [noor, admin]) {
    const update = await blog.rest("PUT", `/posts/${post.id}`, token, { title: "Mine now" });
    expect([update.status, update.body.message]).toEqual([403, "access denied, you are not allowed"]);
    const change = await blog.restForm("PUT", `/posts/update-image/${post.id}`, token, form({}));
    expect([change.status, change.body.message]).toEqual([403, "access denied, you are not allowed"]);
  }
  const remove = await blog.rest("DELETE", `/posts/${post.id}`, noor.token);
  expect([remove.status, remove.body.message]).toEqual([403, "access denied, forbidden"]);
});

test("of concurrent new pictures one remains, and no files of the others", async () => {
  const { body: post } = await create();
  const pictures = await blog.db.picture.count();
  const change = () => blog.restForm("PUT", `/posts/update-image/${post._id}`, maya.token, form({}));
  const responses = await Promise.all([change(), change(), change(), change()]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await blog.db.picture.count()).toBe(pictures);
  const { body } = await blog.rest("GET", `/posts/${post._id}`);
  const remaining = [post, ...responses.map((response) => response.body)].filter(
    ({ image }) => filesOf(image).length > 0,
  );
  expect(remaining).toHaveLength(1);
  expect(body.image).toEqual({ ...remaining[0].image, variants: expect.any(Array) });
});

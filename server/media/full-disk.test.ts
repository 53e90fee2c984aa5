import files, { readdir } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { StoreUnavailable } from "../errors.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createCategory, createPost } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";
import { openFolder } from "./folder.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
const image = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  await createCategory(blog.db, "Craft");
  postId = (await createPost(blog.db, { userId: maya.id })).id;
});

const full = Object.assign(new Error("ENOSPC: no space left on device, write '/data/media'"), {
  code: "ENOSPC",
});
// Simulates a disk that is full at the second file of a picture.
const { writeFile } = files;
const onFullDisk = vi.fn<typeof writeFile>();
const replaceWriteFile = (replacement: typeof writeFile) => {
  files.writeFile = replacement;
  syncBuiltinESMExports();
};
beforeEach(() => {
  onFullDisk.mockReset().mockImplementationOnce(writeFile).mockRejectedValue(full);
  replaceWriteFile(onFullDisk);
});
afterEach(() => replaceWriteFile(writeFile));

const input = { title: "Bread", description: "A text that is long enough.", category: "Craft" };
const message = "there is no room for pictures left, please tell the administrator";
const filesLeft = async () =>
  (await readdir(blog.mediaFolder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());

test("a picture on a full disk is refused with 507 and leaves no files", async () => {
  const form = Object.entries(input).map(([name, value]) => ({ name, value }));
  const response = await blog.restForm("POST", "/posts", maya.token, [
    ...form,
    { name: "image", value: image, filename: "a.jpg" },
  ]);
  expect(response).toMatchObject({ status: 507, body: { message, code: "INSUFFICIENT_STORAGE" } });
  expect(onFullDisk).toHaveBeenCalledTimes(2);
  expect(await filesLeft()).toEqual([]);
  expect(await blog.db.post.count()).toBe(1);
});

test("a picture on a read-only disk is refused with 503 and leaves no files", async () => {
  onFullDisk.mockReset().mockRejectedValue(Object.assign(new Error("EROFS"), { code: "EROFS" }));
  const form = Object.entries(input).map(([name, value]) => ({ name, value }));
  const response = await blog.restForm("POST", "/posts", maya.token, [
    ...form,
    { name: "image", value: image, filename: "a.jpg" },
  ]);
  expect(response).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(await filesLeft()).toEqual([]);
  expect(await blog.db.post.count()).toBe(1);
});

test("the reason why a folder cannot be written to is logged once a minute", async () => {
  const readOnly = Object.assign(new Error("EROFS"), { code: "EROFS" });
  onFullDisk.mockReset().mockRejectedValue(readOnly);
  const warn = vi.fn();
  const folder = openFolder(blog.mediaFolder, warn);
  for (let n = 0; n < 3; n++)
    await expect(folder.create(crypto.randomUUID(), [{ name: "480.webp", bytes: image }])).rejects.toThrow(
      StoreUnavailable,
    );
  expect(warn.mock.calls).toEqual([[readOnly]]);
});

test("GraphQL refuses a picture on a full disk with the same code", async () => {
  const { body } = await blog.gqlUpload(
    {
      query: "mutation ($image: Upload!) { uploadProfilePhoto(image: $image) { id } }",
      variables: { image: null },
      file: image,
      path: "variables.image",
    },
    maya.token,
  );
  expect(body.errors).toMatchObject([{ message, extensions: { code: "INSUFFICIENT_STORAGE" } }]);
  expect(await filesLeft()).toEqual([]);
});

test("posts without a new picture and comments are still written", async () => {
  expect((await blog.rest("PUT", `/posts/${postId}`, maya.token, { title: "Rye" })).status).toBe(200);
  expect((await blog.rest("POST", "/comments", maya.token, { postId, text: "Well." })).status).toBe(201);
});

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { makePicture } from "../testing/pictures.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
const picture = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
});
beforeEach(async () => {
  maya = await blog.signUp();
});

const image = { name: "image", value: picture, filename: "me.jpg" };
const path = "/users/profile/profile-photo-upload";
const upload = (token: string | null = maya.token, form = [image]) =>
  blog.restForm("POST", path, token, form);
const homeOf = (id: string) => join(blog.mediaFolder, id.slice(0, 2), id);
const photoOf = async () => (await blog.db.user.findUniqueOrThrow({ where: { id: maya.id } })).photoId;

async function onDisk(): Promise<string[]> {
  const shards = await readdir(blog.mediaFolder);
  return (await Promise.all(shards.map((shard) => readdir(join(blog.mediaFolder, shard))))).flat();
}

describe("a profile photo", () => {
  test("is returned with the absolute URL at which it is served", async () => {
    const { status, body } = await upload();
    expect(status).toBe(200);
    const publicId = await photoOf();
    expect(body).toEqual({
      message: "your profile photo uploaded successfully",
      profilePhoto: {
        publicId,
        url: `http://blog.test/media/${publicId?.slice(0, 2)}/${publicId}/picture.jpg`,
      },
    });
    const served = await blog.app.inject({ url: new URL(body.profilePhoto.url).pathname });
    expect([served.statusCode, served.headers["content-type"]]).toEqual([200, "image/jpeg"]);
    const profile = await blog.rest("GET", `/users/profile/${maya.id}`);
    expect(profile.body.profilePhoto).toEqual({ ...body.profilePhoto, variants: expect.any(Array) });
  });

  test("replaces the previous one, whose row and files are deleted", async () => {
    const { body: first } = await upload();
    const { body: second } = await upload();
    const [old, now] = [first.profilePhoto.publicId, second.profilePhoto.publicId];
    expect(old).not.toBe(now);
    expect([existsSync(homeOf(old)), existsSync(homeOf(now))]).toEqual([false, true]);
    expect(await blog.db.picture.count({ where: { id: { in: [old, now] } } })).toBe(1);
    expect(await photoOf()).toBe(now);
  });

  test("can be uploaded in GraphQL, too, and is the viewer's", async () => {
    const query = `mutation ($image: Upload!) {
      uploadProfilePhoto(image: $image) { id profilePhoto { url width height alt } } }`;
    const upload = { query, variables: { image: null }, file: picture, path: "variables.image" };
    const { body } = await blog.gqlUpload(upload, maya.token);
    expect(body.data.uploadProfilePhoto).toMatchObject({
      id: maya.id,
      profilePhoto: { width: 640, height: 480, alt: maya.username },
    });
    const { body: refused } = await blog.gqlUpload(upload);
    expect(refused.errors).toMatchObject([{ extensions: { code: "UNAUTHENTICATED" } }]);
  });

  test("is the only one that remains of concurrent uploads", async () => {
    await upload();
    const before = (await onDisk()).length;
    const responses = await Promise.all([upload(), upload(), upload()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const photoId = await photoOf();
    const ids = responses.map(({ body }) => body.profilePhoto.publicId);
    expect(await blog.db.picture.findMany({ where: { id: { in: ids } } })).toMatchObject([{ id: photoId }]);
    const stored = await onDisk();
    expect(stored).toHaveLength(before);
    expect(stored).toContain(photoId);
  });
});

describe("an upload of a photo is refused", () => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["JSON", {}],
  ])("when %s is sent instead of a form", async (_what, body) => {
    const response = await blog.rest("POST", path, maya.token, body);
    expect(response).toMatchObject({ status: 400, body: { message: "no file provided" } });
  });

  test.each([
    ["no file", [], 400, "no file provided"],
    ["an empty file", [{ ...image, value: Buffer.alloc(0) }], 400, "no file provided"],
    ["two files", [image, image], 400, "only one file is allowed"],
    ["a file of another name", [{ ...image, name: "photo" }], 400, '"photo" is not allowed'],
    ["a text", [{ ...image, value: Buffer.from("<svg/>") }], 415, "Unsupported file format"],
    ["too large a file", [{ ...image, value: Buffer.alloc(11 * 1024 * 1024) }], 413, "File too large"],
  ])("for %s, and leaves no files", async (_what, form, status, message) => {
    const { body: previous } = await upload();
    const before = await onDisk();
    const response = await upload(maya.token, form);
    expect([response.status, response.body.message]).toEqual([status, message]);
    expect(await photoOf()).toBe(previous.profilePhoto.publicId);
    expect((await onDisk()).sort()).toEqual(before.sort());
  });

  test("without a token, whatever the body", async () => {
    for (const [token, message] of [
      [null, "no token provided, access denied"],
      ["undefined", "invalid token, access denied"],
    ] as const) {
      const response = await upload(token, []);
      expect([response.status, response.body.message]).toEqual([401, message]);
    }
  });
});

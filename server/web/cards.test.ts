import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createPost, createUser } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";

const blog = await startTestApp();
const { app, services, mediaFolder } = blog;
const pathOf = (url: string) => new URL(url).pathname;
const filesOf = (id: string) => readdir(join(mediaFolder, id.slice(0, 2), id));

async function createWithPicture(width: number, height: number) {
  const { id: userId } = await createUser(blog.db);
  const image = await services.media.save(await makePicture("png", width, height));
  return createPost(blog.db, { userId, image });
}

async function cardUrlOf(id: string): Promise<string> {
  const { body } = await blog.gql(`{ post(id: "${id}") { cardUrl } }`);
  return body.data.post.cardUrl as string;
}

test.each([
  [2_400, 1_600],
  [300, 900],
])("the card of a picture of %i x %i is a JPEG of 1200 x 630", async (width, height) => {
  const post = await createWithPicture(width, height);
  expect(await filesOf(post.imageId)).not.toContain("card.jpg");
  const url = await cardUrlOf(post.id);
  expect(url).toMatch(/^http:\/\/blog\.test\/media\/.*\/card\.jpg$/);
  const responses = await Promise.all([1, 2, 3].map(() => app.inject(pathOf(url))));
  for (const { statusCode, headers, rawPayload } of responses) {
    expect(statusCode).toBe(200);
    expect(headers["content-type"]).toBe("image/jpeg");
    expect(headers["cache-control"]).toContain("immutable");
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1_200, height: 630, format: "jpeg" });
  }
  const files = await filesOf(post.imageId);
  expect(files.filter((name) => /card|part/.test(name))).toEqual(["card.jpg"]);
});

test("HEAD makes the card too", async () => {
  const post = await createWithPicture(64, 64);
  const { statusCode, headers } = await app.inject({
    method: "HEAD",
    url: pathOf(await cardUrlOf(post.id)),
  });
  expect(statusCode).toBe(200);
  expect(Number(headers["content-length"])).toBeGreaterThan(500);
});

test("a picture without files, or with a forged path, has no card", async () => {
  const id = "0a0b0c0d-0000-4000-8000-000000000000";
  for (const path of [`0a/${id}`, `0b/${id}`, `0a/../0a/${id}`, "0a/x"]) {
    const { statusCode } = await app.inject(`/media/${path}/card.jpg`);
    expect(statusCode, path).toBe(404);
  }
  const home = join(mediaFolder, "0a", id);
  await mkdir(home, { recursive: true });
  expect((await app.inject(`/media/0a/${id}/card.jpg`)).statusCode).toBe(404);
  await rm(home, { recursive: true });
});

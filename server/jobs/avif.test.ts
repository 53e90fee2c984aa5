import { randomUUID } from "node:crypto";
import { access, mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Services } from "../domain/context.ts";
import { addAvif, sweepPictures } from "../domain/pictures.ts";
import { fileTooLarge } from "../errors.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { adoptPictures } from "../testing/picture-store.ts";
import { createCategory } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";
import { startWorker } from "./worker.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  await createCategory(blog.db, "Craft");
});

async function publish(): Promise<{ postId: string; imageId: string; url: string }> {
  const { body } = await blog.restForm("POST", "/posts", maya.token, [
    { name: "title", value: "Bread" },
    { name: "description", value: "A text that is long enough." },
    { name: "category", value: "Craft" },
    { name: "image", value: await makePicture("jpeg", 1_200, 800), filename: "a.jpg" },
  ]);
  return { postId: body._id, imageId: body.image.publicId, url: body.image.url };
}

const homeOf = (id: string) => join(blog.mediaFolder, id.slice(0, 2), id);
const imageOf = async (postId: string) => {
  const { body } = await blog.gql(`{ post(id: "${postId}") { image { srcset avifSrcset } } }`);
  return body.data.post.image as { srcset: string; avifSrcset: string | null };
};

/** Runs a worker until `left` pictures are pending. */
async function work(left = 0): Promise<void> {
  const url = String(blog.pool.options.connectionString);
  const stop = await startWorker({ url }, blog.services, async () => undefined);
  onTestFinished(stop);
  await blog.pool.query("SELECT graphile_worker.add_job('add_avif')");
  const untried = () => blog.db.picture.count({ where: { avif: null } });
  await vi.waitFor(async () => expect(await untried()).toBe(left), { timeout: 20_000, interval: 50 });
}

test("pictures get smaller AVIF files of the same aspect ratio, up to 960 pixels wide, and list them", async () => {
  const [first, second] = [await publish(), await publish()];
  expect((await imageOf(first.postId)).avifSrcset).toBeNull();
  await work();
  for (const { postId, imageId } of [first, second]) {
    const { srcset, avifSrcset } = await imageOf(postId);
    expect(avifSrcset).toBe(srcset.replaceAll(".webp", ".avif").split(", ").slice(0, -1).join(", "));
    for (const width of [160, 480, 720, 960]) {
      const [avif, webp] = await Promise.all(
        ["avif", "webp"].map((format) => readFile(join(homeOf(imageId), `${width}.${format}`))),
      );
      expect(await sharp(avif).metadata()).toMatchObject({
        width,
        height: Math.round((width * 2) / 3),
        compression: "av1",
      });
      if (width > 160) expect(avif!.length).toBeLessThan(webp!.length);
    }
    const { variants } = (await blog.rest("GET", `/posts/${postId}`)).body.image;
    expect(variants.map(({ format, width }: any) => `${width}.${format}`)).toEqual([
      ...[160, 480, 720, 960].map((each) => `${each}.avif`),
      ...[160, 480, 720, 960, 1200].map((each) => `${each}.webp`),
      "1200.jpeg",
    ]);
    for (const { url, ...size } of variants)
      expect(await sharp(join(blog.mediaFolder, new URL(url).pathname.slice(7))).metadata()).toMatchObject({
        ...{ width: size.width, height: size.height },
        format: size.format === "avif" ? "heif" : size.format,
      });
    const { pathname } = new URL(avifSrcset!.split(" ")[0]!);
    const { statusCode, headers } = await blog.app.inject({ url: pathname });
    expect([statusCode, headers["content-type"]]).toEqual([200, "image/avif"]);
    expect((await readdir(homeOf(imageId))).filter((name) => name.endsWith(".part"))).toEqual([]);
  }
  expect((await blog.rest("DELETE", `/posts/${first.postId}`, maya.token)).status).toBe(200);
  await expect(access(homeOf(first.imageId))).rejects.toThrow("ENOENT");
});

test("lists have all files of their pictures on request, in GraphQL by a field; the default photo is one", async () => {
  const { postId } = await publish();
  const query = `{ post(id: "${postId}") { image { variants { url width height format } }
    user { profilePhoto { variants { width height format } } } } }`;
  const { post } = (await blog.gql(query)).body.data;
  expect(post.user.profilePhoto.variants).toEqual([{ width: 256, height: 256, format: "png" }]);
  const inList = async (more: string) => (await blog.rest("GET", `/posts?pageNumber=1${more}`)).body[0].image;
  expect((await inList("&variants=true")).variants).toEqual(post.image.variants);
  expect(await inList("")).not.toHaveProperty("variants");
  expect((await blog.rest("GET", "/posts?variants=yes")).status).toBe(400);
});

test("a picture is shown as JPEG until a job has made its wide files, from the upload or else from the JPEG", async () => {
  const [whole, cut] = [await publish(), await publish()];
  const uploadOf = ({ imageId }: { imageId: string }) => join(homeOf(imageId), ".upload");
  expect(await readFile(uploadOf(whole))).toEqual(await makePicture("jpeg", 1_200, 800));
  expect((await blog.app.inject(new URL(".upload", whole.url).pathname)).statusCode).toBeGreaterThan(400);
  const widthsOf = async ({ postId }: { postId: string }) =>
    (await imageOf(postId)).srcset.split(", ").map((each) => each.replace(/^\S+\//, ""));
  expect(await widthsOf(whole)).toEqual(["160.webp 160w", "480.webp 480w", "picture.jpg 1200w"]);
  await writeFile(uploadOf(cut), "no picture");
  await work();
  for (const each of [whole, cut]) {
    expect((await widthsOf(each)).slice(2)).toEqual(["720.webp 720w", "960.webp 960w", "1200.webp 1200w"]);
    await expect(access(uploadOf(each))).rejects.toThrow("ENOENT");
  }
});

test("row 7: a picture without files is retried, and does not block others", async () => {
  const { postId } = await publish();
  const broken = await publish();
  await rm(homeOf(broken.imageId), { recursive: true });
  await work(1);
  expect((await imageOf(broken.postId)).avifSrcset).toBeNull();
  // Null, not `false`, which is permanent: the folder may be missing temporarily.
  const row = await blog.db.picture.findUnique({ where: { id: broken.imageId } });
  expect(row?.avif).toBeNull();
  expect((await imageOf(postId)).avifSrcset).toContain("720.avif 720w");
  await expect(access(homeOf(broken.imageId))).rejects.toThrow("ENOENT");
  await blog.rest("DELETE", `/posts/${broken.postId}`, maya.token);
});

test("R26A: pictures that were deleted while their AVIF was made are no sign of a wrong folder", async () => {
  const picture = {
    findFirst: async () => ({ id: randomUUID(), widths: [480] }),
    count: async () => 0,
  };
  const enoent = () => Promise.reject(Object.assign(new Error("gone"), { code: "ENOENT" }));
  const services = { db: { picture }, media: { addAvif: enoent } } as unknown as Services;
  for (let n = 0; n < 1_001; n++) expect(await addAvif(services)).toBe(true);
});

test("a picture that takes too much memory or time as AVIF does not block others", async () => {
  const [older, newer] = [await publish(), await publish()];
  const { addAvif } = blog.services.media;
  const tooLarge = async (id: string, widths: readonly number[]) => {
    if (id === newer.imageId) throw fileTooLarge();
    return addAvif(id, widths);
  };
  const { services } = blog;
  Object.assign(services, { media: { ...services.media, addAvif: tooLarge } });
  await work();
  expect((await imageOf(older.postId)).avifSrcset).toContain("480.avif");
  expect((await imageOf(newer.postId)).avifSrcset).toBeNull();
});

test("pictures of another database stay: a sweep that would remove most of the folder removes nothing", async () => {
  await publish();
  await adoptPictures(blog);
  const orphans = Array.from({ length: 30 }, () => homeOf(randomUUID()));
  const anHourAgo = new Date(Date.now() - 61 * 60_000);
  for (const home of orphans) {
    await mkdir(home, { recursive: true });
    await utimes(home, anHourAgo, anHourAgo);
  }
  expect(await sweepPictures(blog.services)).toEqual({ removed: 0, skipped: 30 });
  for (const home of orphans.slice(15)) await rm(home, { recursive: true });
  expect(await sweepPictures(blog.services)).toEqual({ removed: 15, skipped: 0 });
});

import { randomUUID } from "node:crypto";
import { mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../server/testing/app.ts";
import {
  createCategory,
  createComment,
  createLike,
  createPost,
  createUser,
} from "../../server/testing/factories.ts";
import { makePicture } from "../../server/testing/pictures.ts";
import { findBroken, readFacts } from "./findings.ts";
import { createHistory, type History } from "./history.ts";
import { bioFact, commentFact, likeFact, postFact } from "./writers.ts";

// Plants each kind of loss, to prove that the checker detects it.

let blog: TestApp;
let bytes: Buffer;
let userId: string;
let postId: string;
beforeAll(async () => {
  [blog, bytes] = await Promise.all([startTestApp(), makePicture("jpeg", 640, 480)]);
  await createCategory(blog.db, "Craft");
});

const yes = async () => new Response();
const no = async () => new Response(null, { status: 400 });
const silence = () => Promise.reject(new Error("cut"));

async function writePost(title: string, description = `This is all that ${title} says.`) {
  const image = await blog.services.media.save(bytes);
  const post = await createPost(blog.db, { userId, title, description, image });
  return { id: post.id, imageId: image.id, home: join(blog.mediaFolder, image.id.slice(0, 2), image.id) };
}

let history: History;
let title: string;
let text: string;
let written: Awaited<ReturnType<typeof writePost>>;
/** Creates a blog whose data matches the acknowledged writes. */
beforeEach(async () => {
  await blog.db.user.deleteMany();
  await blog.db.picture.deleteMany();
  await rm(blog.mediaFolder, { recursive: true });
  await mkdir(blog.mediaFolder);
  [history, title, text] = [createHistory(), randomUUID(), randomUUID()];
  userId = (await createUser(blog.db, { bio: "the latest" })).id;
  written = await writePost(title);
  postId = written.id;
  await createComment(blog.db, { postId, userId, text });
  await createLike(blog.db, { postId, userId });
  await history.write(postFact(title), "there", yes);
  await history.write(commentFact(text), "there", yes);
  await history.write(likeFact(postId, userId), "there", yes);
  await history.write(bioFact(userId), "the latest", yes);
});

const check = async () => [
  ...history.check(await readFacts(blog.url)),
  ...(await findBroken(blog.url, blog.files, new Set())),
];

test("a blog that matches all acknowledged writes has no violations", async () => {
  await history.write(commentFact("was refused"), "there", no);
  await history.write(commentFact("nobody answered"), "there", silence);
  expect(await check()).toEqual([]);
});

test("each kind of lost acknowledged write is reported", async () => {
  await blog.db.comment.deleteMany();
  await blog.db.like.deleteMany();
  await blog.db.user.update({ where: { id: userId }, data: { bio: "the one before" } });
  expect(await check()).toEqual([
    `comment ${text} is absent, not there`,
    `like ${postId} ${userId} is absent, not there`,
    `bio ${userId} is the one before, not the latest`,
  ]);
  await blog.db.post.deleteMany();
  await blog.db.picture.deleteMany();
  await rm(written.home, { recursive: true });
  expect(await check()).toEqual([`post ${title} is absent, not there`]);
});

test("an acknowledged deletion that came back is reported", async () => {
  await history.write(commentFact(text), "absent", yes);
  expect(await check()).toEqual([`comment ${text} is there, not absent`]);
});

test("a refused write and an unsent write are reported if present", async () => {
  for (const comment of ["was refused", "was never sent"])
    await createComment(blog.db, { postId, userId, text: comment });
  await history.write(commentFact("was refused"), "there", no);
  expect(await check()).toEqual([
    "comment was refused is there, not absent",
    "comment was never sent is there, not absent",
  ]);
});

test("an unanswered write may be present or absent, but must stay once it was seen", async () => {
  await history.write(commentFact("nobody answered"), "there", silence);
  const { id } = await createComment(blog.db, { postId, userId, text: "nobody answered" });
  expect(await check()).toEqual([]);
  await blog.db.comment.delete({ where: { id } });
  expect(await check()).toEqual(["comment nobody answered is absent, not there"]);
});

test("a partial post is reported", async () => {
  const half = randomUUID();
  await writePost(half, "This is all that");
  await history.write(postFact(half), "there", yes);
  expect(await check()).toEqual([`post ${half} is half, not there`]);
});

test("a picture is reported if a file is missing or truncated, or if nothing uses it", async () => {
  const [cut, orphan] = [await writePost(randomUUID()), await blog.services.media.save(bytes)];
  await history.write(
    postFact((await blog.db.post.findUniqueOrThrow({ where: { id: cut.id } })).title),
    "there",
    yes,
  );
  await rm(join(written.home, "picture.jpg"));
  await truncate(join(cut.home, "picture.jpg"), 500);
  await blog.db.picture.create({ data: orphan });
  const problems = await check();
  expect(problems).toHaveLength(3);
  expect(problems).toContain(`nothing shows picture ${orphan.id}`);
  expect(problems).toContainEqual(
    expect.stringContaining(`picture ${cut.imageId} has a damaged picture.jpg: Error`),
  );
  expect(problems).toContainEqual(
    expect.stringMatching(`picture ${written.imageId} has [\\w.,]+webp, not [\\w.,]+,picture.jpg`),
  );
});

test("stray files are reported, complete or partial", async () => {
  const { id } = await blog.services.media.save(bytes);
  const unfinished = join(blog.mediaFolder, "ab", `ab-${randomUUID()}.part`);
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, "480.webp"), bytes);
  expect((await check()).sort()).toEqual([`a stray: ${id}`, `a stray: ${basename(unfinished)}`].sort());
});

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants, mkdirSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { bulkheadCounts } from "../queue.ts";
import { PASSWORD, startTestApp } from "../testing/app.ts";
import { afterFile } from "../testing/cleanup.ts";
import { openFolder } from "./folder.ts";

const folder = await mkdtemp(join(tmpdir(), "blog-hanging-"));
afterFile(() => rm(folder, { recursive: true }));
const blog = await startTestApp({ openPicture: openFolder(folder).open });
const maya = await blog.signUp();

/** Reading a pipe without a writer hangs as a network disk does. */
function makePipe() {
  const id = randomUUID();
  const home = join(folder, id.slice(0, 2), id);
  mkdirSync(home, { recursive: true });
  const pipe = join(home, "picture.jpg");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  return { pipe, path: `/media/${id.slice(0, 2)}/${id}/picture.jpg` };
}

test("while the disk of the pictures hangs, sign-ins and pages are answered, and pictures as soon as it answers again", async () => {
  const pipes = Array.from({ length: 8 }, makePipe);
  let isAnswered = false;
  const answers = Promise.all(pipes.map(({ path }) => blog.app.inject(path))).finally(() => {
    isAnswered = true;
  });
  await vi.waitFor(() => expect(bulkheadCounts.files).toEqual({ running: 2, waiting: 6 }));
  const others = [
    blog.rest("POST", "/auth/login", null, { email: maya.email, password: PASSWORD }),
    blog.rest("GET", "/posts?pageNumber=1"),
  ];
  const late = new Promise((resolve) => setTimeout(resolve, 5_000, "late").unref());
  expect(await Promise.race([Promise.all(others), late])).toMatchObject([{ status: 200 }, { status: 200 }]);
  while (!isAnswered)
    for (const { pipe } of pipes) {
      const writer = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
      await writer.close();
      await new Promise(setImmediate);
    }
  expect((await answers).map(({ statusCode }) => statusCode)).toEqual(pipes.map(() => 200));
});

test("R39B: the folder takes turns: one network's pictures do not delay those of others, nor other work", async () => {
  const files = openFolder(folder);
  const id = randomUUID();
  await files.create(id, [{ name: "picture.jpg", bytes: Buffer.from("picture") }]);
  const ended: string[] = [];
  const read = (origin: string, picture: string = id) =>
    files
      .open({ id: picture, file: "picture.jpg", method: "GET", headers: {}, origin })
      .then(() => ended.push(origin));
  const hanging = [makePipe(), makePipe()];
  const all = [
    ...hanging.map(({ path }) => read("192.0.2.1", path.split("/")[3])),
    ...Array.from({ length: 20 }, () => read("192.0.2.1")),
    read("198.51.100.1"),
    files.has(id, "picture.jpg").then(() => ended.push("job")),
  ];
  await vi.waitFor(() => expect(bulkheadCounts.files).toEqual({ running: 2, waiting: 22 }));
  while (ended.length < all.length) {
    for (const { pipe } of hanging) {
      const writer = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
      await writer.close();
    }
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  expect(ended.indexOf("198.51.100.1")).toBeLessThan(6);
  expect(ended.indexOf("job")).toBeLessThan(6);
});

import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeDataDir, removeDataDir, startBlog } from "../e2e/testing/blog.ts";
import { openEmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { makePicture } from "../server/testing/pictures.ts";
import { STORE_ID_FILE } from "../server/media/picture-files.ts";
import { CATEGORY, fillBlog, json } from "./testing/people.ts";
import { cannotRun, report } from "./testing/observations.ts";

/** Mounts a disk of 4 MB. @returns false without the permission to mount */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], { stdio: "ignore" });
    onTestFinished(() => void execFileSync("umount", ["-l", folder]));
    return true;
  } catch {
    return false;
  }
}

test("the pictures' disk is full: 507, no partial file, text still works", async (context) => {
  const dataDir = await makeDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  const media = join(dataDir, "media");
  await mkdir(media);
  if (!mountSmallDisk(media)) cannotRun(context, "no small disk may be mounted here");
  const blog = await startBlog({ dataDir, env: { DEMO: "off" } });
  onTestFinished(async () => void (await blog.stop()));
  const database = await openEmbeddedPostgres(dataDir, () => undefined);
  const { people, postId } = await fillBlog(blog.url, database.url, ["Maya"]);
  const token = people[0]?.token ?? "";
  const image = new Blob([new Uint8Array(await makePicture("jpeg", 1600, 1200))]);
  const upload = async () => {
    const form = new FormData();
    const fields = { title: "Bread", description: "A text that is long enough.", category: CATEGORY };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set("image", image, "a.jpg");
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${blog.url}/api/posts`, { method: "POST", headers, body: form })).status;
  };
  const files = async () =>
    (await readdir(media, { recursive: true, withFileTypes: true })).filter(
      (each) => each.isFile() && !["filler", STORE_ID_FILE].includes(each.name),
    ).length;

  const filler = join(media, "00", "filler");
  await mkdir(join(media, "00"), { recursive: true });
  const { bavail, bsize } = await statfs(media);
  // Leaves room for the first files of a picture only.
  await writeFile(filler, Buffer.alloc(bavail * bsize - 8 * 1024));
  const full = [await upload(), await upload()];
  const left = await files();
  const body = JSON.stringify({ postId, text: "Well said." });
  const commentStatus = (
    await fetch(`${blog.url}/api/comments`, { method: "POST", headers: json(token), body })
  ).status;
  await rm(filler);
  const again = await upload();
  report(
    context,
    `uploads ${full.join(" and ")}, ${left} files left of them; a comment ${commentStatus}; with room again ${again}`,
  );
  expect(full).toEqual([507, 507]);
  expect(left).toBe(0);
  expect([commentStatus, again]).toEqual([201, 201]);
});

import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { readEnv } from "../env.ts";
import { MAX_CATEGORIES, PICTURE_FILE_BYTES } from "../limits.ts";
import { JPEG } from "../media/picture-files.ts";
import { startTestApp } from "../testing/app.ts";
import { edit, repackBackup, writeChecksums } from "../testing/backup-files.ts";
import { afterFile } from "../testing/cleanup.ts";
import { createDatabase, query } from "../testing/database-server.ts";
import { createCategory, createPost } from "../testing/factories.ts";
import { backup } from "./backup.ts";
import { restore } from "./restore.ts";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "blog-restore-"));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const envOf = (url: string, dataDir: string) => readEnv({ DATABASE_URL: url, DATA_DIR: dataDir });

const blog = await startTestApp();
await createCategory(blog.db, "Craft");
const maya = await blog.signUp();
for (let n = 0; n < 3; n++) await createPost(blog.db, { userId: maya.id });
const file = join(await makeFolder(), "blog.tar.gz");
await backup(envOf(blog.url, await makeFolder()), [file], () => undefined);

async function makeTarget() {
  const { url, drop } = await createDatabase(inject("postgres").adminUrl, "restored");
  onTestFinished(drop);
  const env = envOf(url, await makeFolder());
  return { url, restore: (from: string) => restore(env, [from, "--replace"], () => undefined) };
}

const change = (work: (folder: string) => Promise<void>) =>
  repackBackup(file, makeFolder, async (folder) => {
    await work(folder);
    writeChecksums(folder);
  });

const withCategories = (count: number) =>
  change(async (folder) => {
    const table = join(folder, "tables/Category.csv");
    const [head = ""] = (await readFile(table, "utf8")).split("\n");
    const rows = Array.from({ length: count }, (_, n) =>
      [crypto.randomUUID(), `Title ${n}`, `title ${n}`, "", "2026-01-01", "2026-01-01"].join(),
    );
    await writeFile(table, [head, ...rows, ""].join("\n"));
    await edit(join(folder, "manifest.json"), /("name":\s*"Category"[^}]*"rows":\s*)\d+/, `$1${count}`);
  });

test("R42B-1: a backup with more rows than the blog writes changes nothing", async () => {
  const target = await makeTarget();
  await target.restore(file);
  const tooMany = await withCategories(MAX_CATEGORIES + 1);
  await expect(target.restore(tooMany)).rejects.toThrow("more than 1000 categories");
  expect(await query(target.url, `SELECT title FROM "Category"`)).toEqual([{ title: "Craft" }]);
  await target.restore(await withCategories(MAX_CATEGORIES));
  expect(await query(target.url, `SELECT FROM "Category"`)).toHaveLength(MAX_CATEGORIES);
});

test("R42B-1: a restore counts the rows anew", async () => {
  const target = await makeTarget();
  const others = await change((folder) =>
    edit(join(folder, "tables/PostDay.csv"), /,\d+,\d+\n/g, ",1999999999,1\n"),
  );
  await target.restore(others);
  expect(await query(target.url, `SELECT sum(posts)::int AS posts FROM "PostDay"`)).toEqual([{ posts: 3 }]);
});

test("R43B-1: a backup with a larger picture than the blog writes changes nothing", async () => {
  const target = await makeTarget();
  await target.restore(file);
  const withLargePicture = await change(async (folder) => {
    const id = crypto.randomUUID();
    const home = join(folder, "pictures", id.slice(0, 2), id);
    await mkdir(home, { recursive: true });
    await writeFile(join(home, JPEG), "");
    await truncate(join(home, JPEG), PICTURE_FILE_BYTES + 1);
    await edit(join(folder, "tables/Category.csv"), /Craft/, "Kraft");
  });
  await expect(target.restore(withLargePicture)).rejects.toThrow(/picture\.jpg is larger than any picture/);
  expect(await query(target.url, `SELECT title FROM "Category"`)).toEqual([{ title: "Craft" }]);
});

test("B47-2: the related posts of restored posts are computed", async () => {
  const target = await makeTarget();
  await target.restore(file);
  const pending = `SELECT FROM "RelatedState" WHERE NOT "isCurrent"`;
  expect(await query(target.url, pending)).toHaveLength(3);
});

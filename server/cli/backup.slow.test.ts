import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { finishDeferredWork } from "../domain/deferred-work.ts";
import { readEnv } from "../env.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { addTable, edit, repackBackup, writeChecksums } from "../testing/backup-files.ts";
import { afterFile } from "../testing/cleanup.ts";
import { filesOf, fillTables, rowsOf, shapeOf, TABLES } from "../testing/contents.ts";
import { createCategory } from "../testing/factories.ts";
import { createDatabase, query } from "../testing/database-server.ts";
import { makePicture } from "../testing/pictures.ts";
import { backup } from "./backup.ts";
import { restore } from "./restore.ts";

const silent = () => undefined;
const title = "Bread, \"quotes\", commas,\nlines, \\N, '' and 🍞";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let home: string;
let file: string;

const envOf = (url: string, dataDir: string) => readEnv({ DATABASE_URL: url, DATA_DIR: dataDir });
const urlOf = ({ pool }: TestApp) => String(pool.options.connectionString);

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "blog-backup-"));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const writePost = async (traits: Record<string, string> = {}) => {
  const fields = { title, description: "A text that is long enough.", category: "Craft", ...traits };
  const parts = Object.entries(fields).map(([name, value]) => ({ name, value }));
  const image = { name: "image", value: await makePicture("jpeg", 600, 400), filename: "a.jpg" };
  const { status, body } = await blog.restForm("POST", "/posts", maya.token, [...parts, image]);
  expect(status).toBe(201);
  return body._id as string;
};

const save = (target = file) => backup(envOf(urlOf(blog), home), [target], silent);

/** A restore target: an empty database, and a folder. */
async function makeTarget() {
  const { url, drop } = await createDatabase(inject("postgres").adminUrl, "restored");
  onTestFinished(drop);
  const dataDir = await makeFolder();
  return {
    url,
    dataDir,
    restore: (from = file, ...flags: string[]) => restore(envOf(url, dataDir), [from, ...flags], silent),
  };
}

beforeAll(async () => {
  blog = await startTestApp();
  [home, file] = [await makeFolder(), join(await makeFolder(), "blog.tar.gz")];
  await symlink(blog.mediaFolder, join(home, "media"));
  await writeFile(`${file}.part`, "prepared by somebody else, with mode 644");
  await createCategory(blog.db, "Craft");
  maya = await blog.signUp({ username: "Maya", isAdmin: true, bio: "" });
  const noor = await blog.signUp({ username: "Noor", bio: null });
  const posts = [await writePost(), await writePost(), await writePost()];
  await fillTables(blog, posts[0]!);
  for (const { token } of [maya, noor]) await blog.rest("PUT", `/posts/like/${posts[0]}`, token);
  await blog.rest("POST", "/comments", noor.token, { postId: posts[0], text: '\\N\t"well"\r\nsaid' });
  await blog.rest("POST", "/password/reset-password-link", null, { email: noor.email });
  await finishDeferredWork();
  await blog.db.email.updateMany({ data: { sentAt: new Date() } });
  await blog.rest("POST", "/password/reset-password-link", null, { email: maya.email });
  await finishDeferredWork();
  await save();
});

describe("a backup", () => {
  test("restores every row and every byte of a picture, on another PostgreSQL whose pooler keeps a connection", async () => {
    const target = await makeTarget();
    const pooled = new pg.Client({ connectionString: target.url, application_name: "blog" });
    await pooled.connect();
    expect(await target.restore().finally(() => pooled.end())).toContain("Restored.");
    const [before, after] = [await rowsOf(urlOf(blog)), await rowsOf(target.url)];
    const sent = before["Letter"]?.filter((email) => (email as any).sentAt);
    // The author may have removed the time since: the first start would publish the draft.
    const unscheduled = before["Draft"]?.map((draft: any) => ({
      ...draft,
      publishAt: null,
      publishError: "the blog was restored from a backup, please choose the time again",
      version: draft.version + 1,
    }));
    expect(before["Draft"]).toMatchObject([{ publishAt: expect.any(Date) }]);
    expect(after).toEqual({ ...before, Letter: sent, Draft: unscheduled });
    for (const table of TABLES) expect(after[table], table).not.toEqual([]);
    expect(await filesOf(join(target.dataDir, "media"))).toEqual(await filesOf(blog.mediaFolder));
    expect(Object.keys(await filesOf(blog.mediaFolder))).toHaveLength(12);
    expect(await shapeOf(target.url)).toEqual(await shapeOf(urlOf(blog)));
  });

  test("contains no credentials, tokens or unsent emails", async () => {
    const secrets = ["Session", "MailToken", "Throttle", "PreviewLink"];
    for (const table of secrets) expect(await query(urlOf(blog), `SELECT FROM "${table}"`)).not.toEqual([]);
    const target = await makeTarget();
    await target.restore();
    for (const table of secrets) expect(await query(target.url, `SELECT FROM "${table}"`), table).toEqual([]);
    expect(await blog.db.email.count({ where: { sentAt: null } })).toBe(1);
    expect(await query(target.url, `SELECT FROM "Letter" WHERE "sentAt" IS NULL`)).toEqual([]);
  });

  test("is readable by its owner alone, and by tar and sha256sum, and leaves no other files", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(file, ".."))).toEqual(["blog.tar.gz"]);
    expect(await readdir(home)).toEqual(["media"]);
    const folder = await makeFolder();
    execFileSync("tar", ["xzf", file, "-C", folder]);
    expect((await readdir(folder)).sort()).toEqual(["checksums.txt", "manifest.json", "pictures", "tables"]);
    expect(execFileSync("sha256sum", ["--quiet", "-c", "checksums.txt"], { cwd: folder }).length).toBe(0);
  });

  test("is a consistent snapshot under concurrent writes, likes and deletions", async () => {
    Object.assign(blog.services, { rateLimitsEnabled: false });
    let isOver = false;
    const write = async () => {
      while (!isOver) {
        const post = await writePost();
        await blog.rest("PUT", `/posts/like/${post}`, maya.token);
        await blog.rest("POST", "/comments", maya.token, { postId: post, text: "Quick." });
        if (Math.random() < 0.7) await blog.rest("DELETE", `/posts/${post}`, maya.token);
      }
    };
    const writers = [write(), write()];
    const busy = join(await makeFolder(), "busy.tar.gz");
    for (let round = 0; round < 2; round++) {
      expect(await save(busy)).not.toContain("missing");
      const target = await makeTarget();
      await target.restore(busy);
      const pictures = await query(target.url, `SELECT id FROM "Picture"`);
      const files = Object.keys(await filesOf(join(target.dataDir, "media")));
      const ids = new Set(files.map((path) => path.split("/")[1]));
      expect([...ids].sort()).toEqual(pictures.map(({ id }) => id).sort());
      const [{ bare }] = await query(
        target.url,
        `SELECT count(*)::int AS bare FROM "Like" WHERE "postId" NOT IN (SELECT id FROM "Post")`,
      );
      expect(bare).toBe(0);
    }
    isOver = true;
    await Promise.all(writers);
  });

  test("of an earlier release is migrated", async () => {
    const [old, target, oldFile] = [await makeTarget(), await makeTarget(), join(await makeFolder(), "old")];
    const [first = ""] = (await readdir("prisma/migrations")).sort();
    await query(old.url, await readFile(join("prisma/migrations", first, "migration.sql"), "utf8"));
    await query(
      old.url,
      `CREATE TABLE _prisma_migrations AS SELECT '${first}' AS migration_name, now() AS finished_at, NULL AS rolled_back_at;
       INSERT INTO "Category" VALUES (gen_random_uuid(), 'Old', 'old', NULL, now(), now())`,
    );
    await backup(envOf(old.url, old.dataDir), [oldFile], silent);
    await target.restore(oldFile);
    expect(await query(target.url, `SELECT title FROM "Category"`)).toEqual([{ title: "Old" }]);
    expect(await shapeOf(target.url)).toEqual(await shapeOf(urlOf(blog)));
  });
});

describe("a restore changes nothing", () => {
  let target: Awaited<ReturnType<typeof makeTarget>>;
  let contents: unknown;
  const look = async () => [await rowsOf(target.url), await filesOf(join(target.dataDir, "media"))];
  beforeEach(async () => {
    target = await makeTarget();
    await target.restore();
    await query(target.url, `UPDATE "User" SET username = 'Somebody new' WHERE username = 'Noor'`);
    contents = await look();
  });

  const refused = async (from: string, reason: RegExp, ...flags: string[]) => {
    await expect(target.restore(from, ...flags)).rejects.toThrow(reason);
    expect(await look()).toEqual(contents);
    expect(await readdir(target.dataDir)).toEqual(["media"]);
  };

  test("if the blog is not empty, unless --replace is given", async () => {
    await refused(file, /^This blog is not empty \(.*User: 2.*--replace/);
    await target.restore(file, "--replace");
    expect(await query(target.url, `SELECT FROM "User" WHERE username = 'Noor'`)).toHaveLength(1);
  });

  test("if the file is truncated or damaged anywhere", async () => {
    const bytes = await readFile(file);
    const bad = join(await makeFolder(), "bad.tar.gz");
    for (const share of [0, 0.1, 0.5, 0.9, 0.999]) {
      await writeFile(bad, bytes.subarray(0, Math.floor(bytes.length * share)));
      await refused(bad, /is not a whole backup/, "--replace");
    }
    for (const share of [0.01, 0.3, 0.7, 0.99]) {
      const changed = Buffer.from(bytes);
      const offset = Math.floor(bytes.length * share);
      changed[offset] = (changed[offset] ?? 0) ^ 0xff;
      await writeFile(bad, changed);
      await refused(bad, /is not a whole backup/, "--replace");
    }
    await writeFile(bad, "no archive at all");
    await refused(bad, /is not a whole backup/, "--replace");
  });

  const repack = (change: (folder: string) => Promise<unknown>) => repackBackup(file, makeFolder, change);
  const change = (name: string, from: RegExp, to: string) =>
    repack((folder) => edit(join(folder, name), from, to).then(() => writeChecksums(folder)));

  test("if a well-formed archive fails its checksums", async () => {
    const withoutPictures = await repack((folder) => rm(join(folder, "pictures"), { recursive: true }));
    await refused(withoutPictures, /pictures\/.* is damaged or missing/, "--replace");
    const withoutEnd = await repack((folder) => rm(join(folder, "checksums.txt")));
    await refused(withoutEnd, /its end is missing/, "--replace");
    const edited = await repack((folder) => edit(join(folder, "tables/User.csv"), /Maya/, "Mara"));
    await refused(edited, /tables\/User\.csv is damaged/, "--replace");
    await refused(await change("manifest.json", /^/, "{"), /is not a whole backup/, "--replace");
  });

  test("if the backup is from a newer release", async () => {
    const newer = await change(
      "manifest.json",
      /"migrations": \[/,
      '"migrations": ["20991231000000_hover", ',
    );
    await refused(newer, /newer release/, "--replace");
  });

  const withTable = (name: string, columns: string[], ...rows: string[]) =>
    repack((folder) => addTable(folder, name, columns, rows));

  test("if it contains foreign tables or files; of its pictures only the encoder's file names are restored", async () => {
    const html = await withTable(
      "PostHtml",
      ["postId", "html", "version"],
      `${crypto.randomUUID()},<script>,1`,
    );
    await refused(html, /holds PostHtml, which no backup of the blog does/, "--replace");
    await refused(
      await withTable("users", ["id"]),
      /nothing was changed: relation "users" does/,
      "--replace",
    );
    const withPage = await repack(async (folder) => {
      const [shard = ""] = await readdir(join(folder, "pictures"));
      const [id = ""] = await readdir(join(folder, "pictures", shard));
      await writeFile(join(folder, "pictures", shard, id, "page.html"), "<script>alert(1)</script>");
      await mkdir(join(folder, "pictures", shard, id, "9999.webp"));
      writeChecksums(folder);
    });
    const target = await makeTarget();
    await target.restore(withPage);
    const files = await readdir(join(target.dataDir, "media"), { recursive: true });
    expect(files.some((name) => name.endsWith("picture.jpg"))).toBe(true);
    expect(files.filter((name) => /html|9999/.test(name))).toEqual([]);
  });

  test("B9: does not send unsent emails in the backup", async () => {
    const [id, createdAt] = [crypto.randomUUID(), new Date().toISOString()];
    const email: Record<string, string> = { id, createdAt, kind: "verify", attempts: "0", sentAt: "" };
    const withEmail = await repack(async (folder) => {
      const table = join(folder, "tables/Letter.csv");
      const [head = ""] = (await readFile(table, "utf8")).split("\n");
      const row = head.split(",").map((name) => email[name.replaceAll('"', "")] ?? "x@example.org");
      await writeFile(table, `${head}\n${row.join(",")}\n`);
      await edit(join(folder, "manifest.json"), /("name":\s*"Letter"[^}]*"rows":\s*)\d+/, "$11");
      writeChecksums(folder);
    });
    const target = await makeTarget();
    await target.restore(withEmail);
    expect(await query(target.url, `SELECT FROM "Letter"`)).toEqual([]);
  });

  test("if the database refuses a row, or a table has another number of rows", async () => {
    const orphan = await change("tables/Like.csv", /\n[0-9a-f-]{36}/, `\n${crypto.randomUUID()}`);
    await refused(orphan, /foreign key/, "--replace");
    const less = await change("manifest.json", /("name":\s*"Like"[^}]*"rows":\s*)\d+/, "$19999");
    await refused(less, /damaged: Like has \d+ rows instead of 9999/, "--replace");
  });

  test("if the blog is running", async () => {
    for (const name of ["blog worker", "blog changes"]) {
      const client = new pg.Client({ connectionString: target.url, application_name: name });
      await client.connect();
      await refused(file, /The blog is running: stop it first/, "--replace");
      await client.end();
    }
  });
});

test("a failure to place the pictures leaves the database unchanged", async () => {
  const target = await makeTarget();
  await writeFile(join(target.dataDir, "media"), "a file where a folder should be");
  await expect(target.restore()).rejects.toThrow();
  for (const rows of Object.values(await rowsOf(target.url))) expect(rows).toEqual([]);
});

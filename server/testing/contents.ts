import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { TestApp } from "./app.ts";
import { query } from "./database-server.ts";
import { createTag } from "./factories.ts";

export const TABLES = [
  ...[
    "Bookmark",
    "Category",
    "Comment",
    "Draft",
    "Follow",
    "KnownBrowser",
    "Letter",
    "Like",
    "PendingRegistration",
    "Picture",
    "Post",
    "PostTag",
    "Revision",
    "Tag",
    "Upload",
  ],
  "User",
];

/** Writes a row into each table that posts and their authors fill beyond the post itself, and a preview link. */
export async function fillTables({ db }: TestApp, postId: string): Promise<void> {
  const { userId, imageId } = await db.post.update({ where: { id: postId }, data: { alt: "A wall" } });
  const { id: tagId } = await createTag(db, { name: 'Stone, "wall"' }, [postId]);
  await db.follow.create({ data: { userId, tagId } });
  await db.bookmark.create({ data: { userId, postId } });
  await db.upload.create({ data: { userId, pictureId: imageId, alt: "A wall,\n\\N" } });
  await db.draft.create({
    data: {
      ...{ userId, postId, postUpdatedAt: new Date(), title: "Later", description: 'Line one,\nline "two".' },
      ...{
        pictureId: imageId,
        version: 7,
        publishAt: new Date(Date.now() + 86_400_000),
        publishError: "why",
      },
      previewLink: { create: { token: "t".repeat(43) } },
    },
  });
  await db.knownBrowser.create({ data: { userId, hash: new Uint8Array([1, 2]), seenAt: new Date() } });
  await db.pendingRegistration.create({
    data: {
      username: "Guess",
      usernameKey: "guess",
      confusableKey: "guess",
      email: "a@b.cc",
      passwordHash: "x",
    },
  });
  await db.post.update({ where: { id: postId }, data: { description: "What replaced the first text." } });
}

export async function rowsOf(url: string) {
  const rows: Record<string, unknown[]> = {};
  for (const table of TABLES) rows[table] = await query(url, `SELECT * FROM "${table}" ORDER BY 1, 2`);
  return rows;
}

export async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      paths.sort().map(async (path) => [relative(folder, path), (await readFile(path)).toString("base64")]),
    ),
  );
}

/** Columns, indexes, constraints and triggers. */
export const shapeOf = (url: string) =>
  query(
    url,
    `SELECT table_name || '.' || column_name AS name, concat_ws(' ', udt_name, is_nullable, column_default) AS is
       FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
  );

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { createDatabase, query } from "../testing/database-server.ts";
import { loadTables } from "./load.ts";
import { migrate } from "./migrations.ts";
import { withSchemaEngine } from "./schema-engine.ts";

const MIGRATIONS = "prisma/migrations";
const names = readdirSync(MIGRATIONS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

const created: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const drop of created.splice(0)) await drop();
});

async function createEmptyDatabase(): Promise<string> {
  const { url, drop } = await createDatabase(inject("postgres").adminUrl, "empty");
  created.push(drop);
  return url;
}

const history = (url: string) =>
  query(url, `SELECT * FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`);

test("applies every migration to an empty database in order and records them as Prisma does", async () => {
  const url = await createEmptyDatabase();
  expect(await migrate(url)).toEqual(names);
  const migrations = await history(url);
  expect(migrations.map((row) => row.migration_name)).toEqual(names);
  for (const { migration_name, checksum, finished_at, applied_steps_count } of migrations) {
    const sql = readFileSync(join(MIGRATIONS, migration_name, "migration.sql"));
    expect(checksum).toBe(createHash("sha256").update(sql).digest("hex"));
    expect(finished_at).toBeInstanceOf(Date);
    expect(applied_steps_count).toBe(1);
  }
});

test("refuses to restore into a database of a newer release", async () => {
  const url = await createEmptyDatabase();
  await migrate(url);
  await query(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '20991231000000_x', now())`,
  );
  const load = { tables: [], migrations: names, folder: "", replace: true, progress: () => undefined };
  await expect(loadTables({ ...load, databaseUrl: url, beforeCommit: async () => {} })).rejects.toThrow(
    /migrated by a newer release/,
  );
});

test("no table uses a sequence, which a restore would have to set", async () => {
  const url = await createEmptyDatabase();
  await migrate(url);
  expect(await query(url, "SELECT * FROM pg_sequences WHERE schemaname = 'public'")).toEqual([]);
});

test("a second run applies nothing", async () => {
  const url = await createEmptyDatabase();
  await migrate(url);
  const before = await history(url);
  expect(await migrate(url)).toEqual([]);
  expect(await history(url)).toEqual(before);
});

test("keeps existing data", async () => {
  const url = await createEmptyDatabase();
  await migrate(url);
  await query(url, `INSERT INTO "Category" VALUES (gen_random_uuid(), 'Craft', 'craft', NULL, now(), now())`);
  await migrate(url);
  expect(await query(url, `SELECT title FROM "Category"`)).toEqual([{ title: "Craft" }]);
});

test("of three concurrent runs one applies the migrations, and the others say that they wait", async () => {
  const url = await createEmptyDatabase();
  const lines: string[] = [];
  const run = () => migrate(url, undefined, (line) => lines.push(line));
  const applied = await Promise.all([run(), run(), run()]);
  expect(applied.flat()).toEqual(names);
  expect(lines).toEqual(Array(2).fill("another process migrates the database: waiting for it"));
  expect(await history(url)).toHaveLength(names.length);
});

const HISTORY = `CREATE TABLE _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

async function createOlderDatabase(): Promise<string> {
  const url = await createEmptyDatabase();
  await query(url, HISTORY);
  for (const name of names.slice(0, -1)) {
    const sql = readFileSync(join(MIGRATIONS, name, "migration.sql"), "utf8");
    const checksum = createHash("sha256").update(sql).digest("hex");
    await query(url, sql);
    await query(
      url,
      `INSERT INTO _prisma_migrations VALUES (gen_random_uuid(), '${checksum}', now(), '${name}', NULL, NULL, now(), 1)`,
    );
  }
  return url;
}

test("applies only the missing migrations to a database of an older release", async () => {
  const url = await createOlderDatabase();
  expect(await migrate(url)).toEqual(names.slice(-1));
  expect(await history(url)).toHaveLength(names.length);
});

test("applies a migration again whose process was killed while it ran", async () => {
  const url = await createOlderDatabase();
  const [last = ""] = names.slice(-1);
  await query(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', '${last}')`,
  );
  expect(await migrate(url)).toEqual([last]);
  expect(await history(url)).toHaveLength(names.length);
});

test("does not apply a migration again whose process was killed after it ran", async () => {
  const url = await createOlderDatabase();
  await query(
    url,
    `CREATE FUNCTION fail_update() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$;
     CREATE TRIGGER fail BEFORE UPDATE OF applied_steps_count ON _prisma_migrations
       FOR EACH ROW EXECUTE FUNCTION fail_update()`,
  );
  await expect(migrate(url)).rejects.toThrow("killed");
  await query(url, "DROP FUNCTION fail_update CASCADE");
  expect(await migrate(url)).toEqual([]);
  expect((await history(url)).map(({ finished_at }) => finished_at)).not.toContain(null);
});

/** A few hundred rows per table, only in the columns of its first migration. */
const ROWS = 300;
const id = (kind: string, n = "n") => `md5('${kind}' || ${n})::uuid`;
const rowsOf: Record<string, string> = {
  Picture: `(id, width, height, widths, placeholder) SELECT ${id("picture")}, 3, 2, '{480,960}', 'data:'`,
  User: `(id, username, "usernameKey", email, "passwordHash", bio, "photoId", "updatedAt")
    SELECT ${id("user")}, 'Person ' || n, 'person ' || n, n || '@example.com', 'unusable', 'Bio ' || n, ${id("picture")}, now()`,
  ClosedAccount: `("userId", "closedAt") SELECT ${id("user")}, now()`,
  Category: `(id, title, "titleKey", "userId", "updatedAt") SELECT ${id("category")}, 'Craft ' || n, 'craft ' || n, ${id("user")}, now()`,
  Post: `(id, title, description, category, "userId", "imageId", "updatedAt")
    SELECT ${id("post")}, 'Title ' || n, repeat('Words. ', n), 'Craft 1', ${id("user")}, ${id("picture")}, now()`,
  Comment: `(id, text, "postId", "userId", "updatedAt") SELECT ${id("comment")}, 'Well said, ' || n, ${id("post")}, ${id("user", "1")}, now()`,
  Like: `("postId", "userId") SELECT ${id("post")}, ${id("user", "1")}`,
  Bookmark: `("userId", "postId") SELECT ${id("user")}, ${id("post", "1")}`,
  Follow: `(id, "userId", "tagId") SELECT ${id("follow")}, ${id("user")}, ${id("tag", "1")}`,
  Session: `(id, "tokenHash", "userId") SELECT ${id("session")}, decode(md5('' || n), 'hex'), ${id("user")}`,
  KnownBrowser: `("userId", hash, "seenAt") SELECT ${id("user")}, decode(md5('' || n), 'hex'), now()`,
  MailToken: `(id, purpose, "tokenHash", "userId", "expiresAt") SELECT ${id("token")}, 'VERIFY', decode(md5('' || n), 'hex'), ${id("user")}, now()`,
  MediaFolder: `(id) SELECT ${id("folder")}`,
  PendingRegistration: `(id, username, "usernameKey", "confusableKey", email, "passwordHash")
    SELECT ${id("pending")}, 'Pending ' || n, 'pending ' || n, '-pending ' || n, n || '@example.com', 'unusable'`,
  Letter: `(id, kind, recipient, subject, text, html) SELECT ${id("letter")}, 'verify', n || '@example.com', 'Welcome', 'Hello', '<p>Hello'`,
  Draft: `(id, "userId", "postId", title, "updatedAt") SELECT ${id("draft")}, ${id("user")}, ${id("post")}, 'Draft ' || n, now()`,
  Upload: `("pictureId", "userId", alt) SELECT ${id("picture")}, ${id("user")}, 'Picture ' || n`,
  PreviewLink: `("draftId", token) SELECT ${id("draft")}, 'token ' || n`,
  Revision: `(id, "postId", "userId", title, description, category, "createdAt")
    SELECT ${id("revision")}, ${id("post")}, ${id("user")}, 'Title ' || n, 'Words.', 'Craft 1', now()`,
  Tag: `(id, name, "nameKey") SELECT ${id("tag")}, 'Tag ' || n, 'tag ' || n`,
  PostTag: `("postId", "tagId", position) SELECT ${id("post")}, ${id("tag")}, 1`,
  PostSearch: `("postId", "createdAt", "userId", category, name, title, words)
    SELECT ${id("post")}, now(), ${id("user")}, 'Craft 1', 'Title', '', ''`,
  PostMark: `(day, position, "createdAt", "postId", changes) SELECT '2026-01-01', n, now(), ${id("post")}, 1`,
  RelatedPost: `("postId", "relatedId", score) SELECT ${id("post")}, ${id("post", "1")}, 1`,
  Deletion: `(id, type, "deletedAt") SELECT ${id("deleted")}, 'Post', now()`,
  IdempotencyKey: `("userId", key, hash, "objectId", "claimedAt", "createdAt")
    SELECT ${id("user")}, 'key', 'hash', ${id("post")}, now(), now()`,
  Throttle: `(key, hits, "resetsAt") SELECT 'sign-in ' || n, n, now()`,
};

async function contentsOf(
  url: string,
  columns: Record<string, string>,
): Promise<Record<string, { count: number; md5: string }>> {
  const selects = Object.entries(columns).map(
    ([table, names]) =>
      `SELECT '${table}' AS "table", count(*)::int, md5(string_agg(t::text, '' ORDER BY t::text)) FROM (SELECT ${names} FROM "${table}") t`,
  );
  if (selects.length === 0) return {};
  const rows = await query(url, selects.join(" UNION ALL "));
  return Object.fromEntries(rows.map(({ table, ...contents }) => [table, contents]));
}

const tablesOf = async (url: string): Promise<Record<string, string>> => {
  const rows = await query(
    url,
    `SELECT table_name, string_agg('"' || column_name || '"', ', ' ORDER BY ordinal_position) AS names
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ table_name, names }) => [table_name, names]));
};

test("each migration keeps every row of a filled database", async () => {
  const url = await createEmptyDatabase();
  const columns: Record<string, string> = {};
  for (const name of names) {
    const before = await contentsOf(url, columns);
    await query(url, readFileSync(join(MIGRATIONS, name, "migration.sql"), "utf8"));
    expect(await contentsOf(url, columns), name).toEqual(before);
    const tables = await tablesOf(url);
    for (const [table, rows] of Object.entries(rowsOf))
      if (tables[table] && !columns[table])
        await query(url, `INSERT INTO "${table}" ${rows} FROM generate_series(1, ${ROWS}) n`);
    Object.assign(columns, tables);
  }
  // A new table is filled above or by its own migration.
  for (const [table, { count }] of Object.entries(await contentsOf(url, columns)))
    expect(count, table).toBeGreaterThan(0);
}, 120_000);

const shapeOf = (url: string) =>
  query(
    url,
    `SELECT table_name || '.' || column_name AS name,
            concat_ws(' ', udt_name, character_maximum_length, is_nullable, column_default) AS is
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
     UNION ALL SELECT indexname, indexdef FROM pg_indexes
       WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
     UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND conrelid IS DISTINCT FROM to_regclass('_prisma_migrations')
     ORDER BY 1, 2`,
  );

/** Indexes and constraints that schema.prisma cannot express. */
const inSqlOnly: Record<string, string> = {
  Comment_text_id_idx: `CREATE INDEX "Comment_text_id_idx" ON public."Comment" USING btree (lower("left"((text)::text, 100)), id)`,
  Post_title_id_idx: `CREATE INDEX "Post_title_id_idx" ON public."Post" USING btree (lower((title)::text), id)`,
  ...Object.fromEntries(
    ["Post", "Draft", "Revision"].map((table) => [
      `${table}_pictures_idx`,
      `CREATE INDEX "${table}_pictures_idx" ON public."${table}" USING gin ("picturesIn"(description)) WITH (gin_pending_list_limit='256')`,
    ]),
  ),
  Follow_target_check: `CHECK ((num_nonnulls("profileId", "categoryId", "tagId") = 1))`,
  PostSearch_weeks_idx: `CREATE INDEX "PostSearch_weeks_idx" ON public."PostSearch" USING gin ("wordsOfWeek"(title, words, "createdAt")) WITH (gin_pending_list_limit='256')`,
  PostSearch_title_idx: `CREATE INDEX "PostSearch_title_idx" ON public."PostSearch" USING gin (title)`,
  PostSearch_words_idx: `CREATE INDEX "PostSearch_words_idx" ON public."PostSearch" USING gin (words) WITH (gin_pending_list_limit='256')`,
  PostSearch_name_idx: `CREATE INDEX "PostSearch_name_idx" ON public."PostSearch" USING gin (name gin_trgm_ops)`,
  User_words_idx: `CREATE INDEX "User_words_idx" ON public."User" USING gin ("searchWords"((username)::text)) WHERE ("verifiedAt" IS NOT NULL)`,
  Tag_words_idx: `CREATE INDEX "Tag_words_idx" ON public."Tag" USING gin ("searchWords"((name)::text))`,
  User_name_idx: `CREATE INDEX "User_name_idx" ON public."User" USING gin ("searchText"((username)::text) gin_trgm_ops) WHERE ("verifiedAt" IS NOT NULL)`,
  Post_words_idx: `CREATE INDEX "Post_words_idx" ON public."Post" USING gin ("postWords"((title)::text, description)) WITH (gin_pending_list_limit='256')`,
};

test("the migrations produce the schema of prisma/schema.prisma plus what it cannot express", async () => {
  const [migrated, fresh] = [await createEmptyDatabase(), await createEmptyDatabase()];
  await migrate(migrated);
  const files = [{ path: "schema.prisma", content: readFileSync("prisma/schema.prisma", "utf8") }];
  const { stdout } = await withSchemaEngine(fresh, undefined, (engine) =>
    engine.diff({
      from: { tag: "empty" },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  await query(fresh, stdout ?? "");
  const shape = (await shapeOf(migrated)) as { name: string; is: string }[];
  expect(shape.filter(({ name }) => !inSqlOnly[name])).toEqual(await shapeOf(fresh));
  const others = shape.filter(({ name }) => inSqlOnly[name]);
  expect(Object.fromEntries(others.map(({ name, is }) => [name, is]))).toEqual(inSqlOnly);
});

test("fails at once if the database is unreachable", async () => {
  const url = new URL(inject("postgres").adminUrl);
  url.pathname = "/there_is_no_such_database";
  await expect(migrate(url.href)).rejects.toMatchObject({ code: "3D000" });
});

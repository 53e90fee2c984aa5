import { createHash } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { openEmbeddedPostgres } from "../server/data/embedded/embedded-postgres.ts";
import { migrateJobs } from "../server/jobs/worker.ts";
import { migrate } from "../server/data/migrations.ts";

/** The rows of a blog: accounts, and ten likes and five comments per post until `likes` and `comments` are used up. */
export type Size = {
  people: number;
  posts: number;
  likes: number;
  comments: number;
  /** SQL for the title and the text of post `n`. */
  titles?: string;
  texts?: string;
};

export const standard: Size = { people: 1_000, posts: 10_000, likes: 100_000, comments: 50_000 };

/** Bearer tokens of the first 32 accounts, one per connection. */
export const tokenOf = (person: number) => `bench-token-${person}`;

export type Database = { url: string; pool: pg.Pool };

/** The database server of all measured servers. Its data stays in bench/.data, so the next run need not seed again. */
export async function openServer() {
  const server = await openEmbeddedPostgres(join(import.meta.dirname, ".data"), () => undefined);
  return server;
}

export async function openDatabase(
  serverUrl: string,
  size: Size,
  name = `bench_${size.posts}`,
): Promise<Database> {
  const url = serverUrl.replace(/\/[^/]*$/, `/${name}`);
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  const { rowCount } = await admin.query("SELECT FROM pg_database WHERE datname = $1", [name]);
  if (rowCount === 0) await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  await migrate(url);
  await migrateJobs(url);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM "Post"');
  if (Number(rows[0]?.count) < size.posts) await seed(pool, size);
  return { url, pool };
}

const id = (kind: string, n: string) => `md5('${kind}' || ${n})::uuid`;

const TITLES = "'Post number ' || n";
const TEXTS = "repeat('A sentence of an ordinary post. ', 30)";

async function seed(
  pool: pg.Pool,
  { people, posts, likes, comments, titles = TITLES, texts = TEXTS }: Size,
): Promise<void> {
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(`
    SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = '"PostSearch"'::regclass AND NOT indisprimary`);
  const statements = [
    // The search is indexed at the end, by a tenth of the work.
    'ALTER TABLE "Post" DISABLE TRIGGER index_insert',
    ...indexes.map(({ name }) => `DROP INDEX ${name}`),
    'TRUNCATE "User", "Post", "Picture", "Category", "Like", "Comment", "Session" CASCADE',
    `INSERT INTO "User" (id, username, "usernameKey", email, "passwordHash", "verifiedAt", "createdAt", "updatedAt")
     SELECT ${id("user", "n")}, 'Person ' || n, 'person ' || n, 'person' || n || '@example.com', 'none', now(),
       now() - n * interval '1 minute', now() FROM generate_series(1, ${people}) n`,
    `INSERT INTO "Category" (id, title, "titleKey", "createdAt", "updatedAt")
     SELECT ${id("category", "n")}, 'Category ' || n, 'category ' || n, now(), now() FROM generate_series(1, 10) n`,
    `INSERT INTO "Picture" (id, width, height, widths, avif, placeholder)
     SELECT ${id("picture", "n")}, 1600, 1067, '{480,960,1600}', false, 'data:image/webp;base64,UklGRg=='
     FROM generate_series(1, ${posts}) n`,
    `INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "createdAt", "updatedAt")
     SELECT ${id("post", "n")}, ${titles}, ${texts}, 'Category ' || 1 + n % 10,
       ${id("user", `(1 + n % ${people})`)}, ${id("picture", "n")}, date_trunc('milliseconds', now()) - n * interval '1 minute', now()
     FROM generate_series(1, ${posts}) n`,
    // Disables the checks of ten million references, which are known to be valid; rows in the order of their index are
    // stored side by side.
    "SET LOCAL session_replication_role = replica; SET LOCAL work_mem = '256MB'",
    `INSERT INTO "Like" ("postId", "userId", "createdAt")
     SELECT ${id("post", `(1 + n % ${posts})`)}, ${id("user", `(1 + (n % ${posts} + n / ${posts} * 37) % ${people})`)}, now()
     FROM generate_series(0, ${likes - 1}) n ORDER BY 1, 2`,
    `INSERT INTO "Comment" (id, text, "postId", "userId", "createdAt", "updatedAt")
     SELECT ${id("comment", "n")}, 'What I think of it, number ' || n, ${id("post", `(1 + n % ${posts})`)},
       ${id("user", `(1 + n % ${people})`)}, date_trunc('milliseconds', now()) - n * interval '1 second', now()
     FROM generate_series(1, ${comments}) n ORDER BY 3`,
    `INSERT INTO "PostSearch" ("postId", "createdAt", "userId", category, name, title, words)
     SELECT post.id, post."createdAt", "userId", category, "searchText"(title), "searchWords"(title),
       "wordsOfPost"(title, category, username, description)
     FROM "Post" post JOIN "User" account ON account.id = "userId" ORDER BY post."createdAt"`,
    'ALTER TABLE "Post" ENABLE TRIGGER index_insert',
    "SET LOCAL maintenance_work_mem = '512MB'",
    ...indexes.map(({ definition }) => definition),
  ];
  // In one transaction: the next run checks only the number of posts.
  await pool.query(statements.join(";\n"));
  await pool.query("VACUUM ANALYZE");
  for (let person = 1; person <= 32; person++)
    await pool.query(
      `INSERT INTO "Session" (id, "tokenHash", "userId") VALUES (gen_random_uuid(), $1, ${id("user", String(person))})`,
      [createHash("sha256").update(tokenOf(person)).digest()],
    );
}

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
  /** Whether the posts can be searched, by default yes: their words take as much of the disk as the posts. */
  hasSearch?: boolean;
};

export const standard: Size = { people: 1_000, posts: 10_000, likes: 100_000, comments: 50_000 };

/** Bearer tokens of the first 32 accounts, one per connection. */
export const tokenOf = (person: number) => `bench-token-${person}`;

export type Database = { url: string; pool: pg.Pool };

/** Data of all servers, kept so that the next run need not fill the databases again. */
export const DATA = process.env["BENCH_DATA"] ?? join(import.meta.dirname, ".data");

/** The database server of all measured servers. */
export const openServer = () => openEmbeddedPostgres(DATA, () => undefined);

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

/** The tables with rows for each post. */
const LARGE = ["Picture", "Post", "PostHtml", "PostSearch", "RelatedState", "Like", "Comment"].map(
  (name) => `"${name}"`,
);

async function seed(
  pool: pg.Pool,
  { people, posts, likes, comments, titles = TITLES, texts = TEXTS, hasSearch = true }: Size,
): Promise<void> {
  // Likes and comments fewer than the posts are spread over them.
  const step = (rows: number) => Math.max(1, Math.floor(posts / rows));
  const statements = [
    'TRUNCATE "User", "Post", "Picture", "Category", "Like", "Comment", "Session" CASCADE',
    // Without triggers and the checks of references, which are known to be valid. Indexes are built at the end, by a
    // fraction of the work.
    "SET LOCAL session_replication_role = replica; SET LOCAL work_mem = '256MB'",
    `UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid = ANY (ARRAY[${LARGE.map((name) => `'${name}'`)}]::regclass[])`,
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
    // What triggers and jobs would write: else the jobs render and compare the texts while others are measured.
    `INSERT INTO "PostDay" (day, slot, posts, changes)
     SELECT ("createdAt" AT TIME ZONE 'UTC')::date, 0, count(*), 1 FROM "Post" GROUP BY 1`,
    `INSERT INTO "PostCategory" (category, slot, posts) SELECT category, 0, count(*) FROM "Post" GROUP BY 1`,
    `INSERT INTO "AuthorCount" ("userId", slot, posts) SELECT "userId", 0, count(*) FROM "Post" GROUP BY 1`,
    `INSERT INTO "PostHtml" ("postId", html, version) SELECT id, '<p>' || description || '</p>', 1000 FROM "Post"`,
    `INSERT INTO "RelatedState" ("postId", "isCurrent") SELECT id, true FROM "Post"`,
    // Rows in the order of their index are stored side by side.
    `INSERT INTO "Like" ("postId", "userId", "createdAt")
     SELECT ${id("post", `(1 + n * ${step(likes)} % ${posts})`)}, ${id("user", `(1 + (n % ${posts} + n / ${posts} * 37) % ${people})`)}, now()
     FROM generate_series(0, ${likes - 1}) n ORDER BY 1, 2`,
    `INSERT INTO "Comment" (id, text, "postId", "userId", "createdAt", "updatedAt")
     SELECT ${id("comment", "n")}, 'What I think of it, number ' || n, ${id("post", `(1 + n * ${step(comments)} % ${posts})`)},
       ${id("user", `(1 + n % ${people})`)}, date_trunc('milliseconds', now()) - n * interval '1 second', now()
     FROM generate_series(1, ${comments}) n ORDER BY 3`,
    `INSERT INTO "CommentCount" ("postId", slot, comments) SELECT "postId", 0, count(*) FROM "Comment" GROUP BY 1`,
    ...(hasSearch ? [INDEX_SEARCH] : []),
    "SET LOCAL maintenance_work_mem = '512MB'",
    ...LARGE.map((table) => `REINDEX TABLE ${table}`),
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

const INDEX_SEARCH = `
  INSERT INTO "PostSearch" ("postId", "createdAt", "userId", category, name, title, words)
  SELECT post.id, post."createdAt", "userId", category, "searchText"(title), "searchWords"(title),
    "wordsOfPost"(title, category, username, description)
  FROM "Post" post JOIN "User" account ON account.id = "userId" ORDER BY post."createdAt"`;

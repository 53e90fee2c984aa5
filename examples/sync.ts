// Synchronizes a copy of all posts: first all of them, then repeatedly the changes and deletions. It misses nothing despite
// concurrent writers, because both lists are read from the oldest to the newest, and each poll continues behind the last cursor.
// The copy is in memory or, with COPY_DATABASE_URL, in another PostgreSQL database, which stores the cursors too: the program may
// end at any time, and continues when it is restarted.

const url = `${process.env["BLOG_URL"] ?? "http://localhost:4000"}/graphql`;
const polls = Number(process.env["POLLS"] ?? Infinity);

type Post = { id: string; title: string; description: string; updatedAt: string };
type Page = { nodes: Post[]; pageInfo: { endCursor: string | null; hasNextPage: boolean } };
type List = "changes" | "deletions";

type Copy = {
  /** When the copy was begun: earlier deletions do not matter. */
  since: string;
  cursorOf: (list: List) => Promise<string | null>;
  /** Stores both or nothing, so that a crash loses no page. */
  apply: (list: List, rows: Post[], cursor: string) => Promise<void>;
  count: () => Promise<number>;
  close: () => Promise<void>;
};

const queries: Record<List, string> = {
  changes: `query Changes($after: String) {
    list: posts(first: 100, after: $after, updatedAfter: "1970-01-01T00:00:00Z", orderBy: { field: UPDATED_AT, direction: ASC }) {
      nodes { id title description updatedAt } pageInfo { endCursor hasNextPage } } }`,
  deletions: `query Deletions($since: DateTime!, $after: String) {
    list: deletions(since: $since, first: 100, after: $after) {
      nodes { id } pageInfo { endCursor hasNextPage } } }`,
};

async function ask(query: string, variables: object): Promise<Page> {
  const headers = { "content-type": "application/json", accept: "application/graphql-response+json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ query, variables }) });
  const { data, errors } = (await response.json()) as { data?: { list: Page }; errors?: Error[] };
  if (!data || errors) throw new Error(errors?.[0]?.message ?? `status ${response.status}`);
  return data.list;
}

// Before the first read of the posts, so that no deletion falls between the two. An hour covers clocks that differ.
const begin = () => new Date(Date.now() - 3_600_000).toISOString();

function openInMemory(): Copy {
  const [posts, cursors] = [new Map<string, Post>(), new Map<List, string>()];
  return {
    since: begin(),
    cursorOf: async (list) => cursors.get(list) ?? null,
    async apply(list, rows, cursor) {
      for (const row of rows)
        if (list === "changes") posts.set(row.id, row);
        else posts.delete(row.id);
      cursors.set(list, cursor);
    },
    count: async () => posts.size,
    close: async () => undefined,
  };
}

const tables = `
  CREATE TABLE IF NOT EXISTS posts (id uuid PRIMARY KEY, title text, description text, "updatedAt" timestamptz);
  CREATE TABLE IF NOT EXISTS positions (name text PRIMARY KEY, position text)`;

const statements: Record<List, string> = {
  changes: `INSERT INTO posts SELECT * FROM json_populate_recordset(NULL::posts, $1) ON CONFLICT (id) DO UPDATE
    SET (title, description, "updatedAt") = (excluded.title, excluded.description, excluded."updatedAt")`,
  deletions: "DELETE FROM posts WHERE id IN (SELECT id FROM json_populate_recordset(NULL::posts, $1))",
};

async function openInDatabase(connectionString: string): Promise<Copy> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(tables);
  await client.query("INSERT INTO positions VALUES ('since', $1) ON CONFLICT DO NOTHING", [begin()]);
  const readPosition = async (name: string): Promise<string | null> =>
    (await client.query("SELECT position FROM positions WHERE name = $1", [name])).rows[0]?.position ?? null;
  return {
    since: (await readPosition("since")) ?? "",
    cursorOf: readPosition,
    async apply(list, rows, cursor) {
      await client.query("BEGIN");
      await client.query(statements[list], [JSON.stringify(rows)]);
      const keep =
        "INSERT INTO positions VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET position = excluded.position";
      await client.query(keep, [list, cursor]);
      await client.query("COMMIT");
    },
    count: async () => (await client.query("SELECT count(*)::int FROM posts")).rows[0].count,
    close: () => client.end(),
  };
}

const database = process.env["COPY_DATABASE_URL"];
const copy = database ? await openInDatabase(database) : openInMemory();

/** Reads what has been added to a list since the last time. */
async function follow(list: List): Promise<void> {
  for (let more = true; more;) {
    const after = await copy.cursorOf(list);
    const { nodes, pageInfo } = await ask(queries[list], { since: copy.since, after });
    if (pageInfo.endCursor) await copy.apply(list, nodes, pageInfo.endCursor);
    more = pageInfo.hasNextPage;
  }
}

for (let poll = 1; poll <= polls; poll++) {
  await follow("changes");
  await follow("deletions");
  console.log(`${await copy.count()} posts`);
  if (poll < polls) await new Promise((done) => setTimeout(done, Number(process.env["PAUSE"] ?? 10_000)));
}
await copy.close();

export {};

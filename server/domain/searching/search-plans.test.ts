import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { openQueries } from "../../data/queries/queries.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost, createUser } from "../../testing/factories.ts";
import type { SearchQuery } from "../post-selection.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
  const { id: userId } = await createUser(blog.db, { username: "Maya Lindqvist" });
  for (let n = 0; n < 5; n++) await createPost(blog.db, { userId, title: "On slate" });
});

async function statementsOf(...searches: Partial<SearchQuery>[]): Promise<pg.QueryConfig[]> {
  const statements: pg.QueryConfig[] = [];
  const recording = {
    query: async (statement: pg.QueryConfig) => {
      statements.push(statement);
      return { rows: [] };
    },
  } as unknown as pg.Pool;
  const queries = openQueries({ db: blog.db, pool: recording, readPipeline: recording, prepares: true });
  for (const search of searches)
    await queries.search(
      { terms: [], authors: [], categories: [], tags: [], ...search },
      { skip: 0, take: 10 },
    );
  return statements;
}

const word = (text: string) => ({ words: [text], isExcluded: false, isPrefix: true, isPhrase: false });

test("searches use the indexes", async () => {
  const terms = [word("slate")];
  // A5: the words of each post of a tag would otherwise be computed.
  const statements = await statementsOf({ terms }, { terms, authors: [["maya"]], tags: ["stone"] });
  const client = new pg.Client({ connectionString: blog.url });
  await client.connect();
  // Tables of a few rows are otherwise scanned.
  await client.query("SET enable_seqscan = off");
  const plans = statements.map(({ text, values }) => client.query(`EXPLAIN ${text}`, values));
  const [plan, filtered] = (await Promise.all(plans)).map(({ rows }) =>
    rows.map((row) => row["QUERY PLAN"]).join("\n"),
  );
  const names = await client.query(`EXPLAIN SELECT FROM "PostSearch" WHERE 'slate' <% name`);
  await client.end();
  for (const index of ["PostSearch_weeks_idx", "User_words_idx", "Tag_words_idx"])
    expect(plan).toContain(`Bitmap Index Scan on "${index}"`);
  expect(filtered).toContain('Bitmap Index Scan on "PostSearch_weeks_idx"');
  expect(filtered).not.toMatch(/Filter: .*wordsOfWeek/);
  expect(JSON.stringify(names.rows)).toContain("PostSearch_name_idx");
});

const similar = (name: string): pg.QueryConfig => ({
  text: `SELECT FROM "User" WHERE $1 <% "searchText"(username) AND "verifiedAt" IS NOT NULL`,
  values: [name],
});

test("R25B, R32B: the plan of a search works on an unverified account as on none", async () => {
  const [known, unknown] = ["zq12ab34", "zq12ab35"];
  await createUser(blog.db, { username: known, verifiedAt: null });
  // So many that their names are found by an index.
  await blog.pool.query(`
    INSERT INTO "User" (id, username, "usernameKey", email, "passwordHash", "verifiedAt", "updatedAt")
    SELECT gen_random_uuid(), name, name, name, '', now(), now()
    FROM (SELECT 'name ' || n AS name FROM generate_series(1, 3000) n) names`);
  await blog.pool.query("ANALYZE");
  const searches = [known, unknown].flatMap((name) => [{ authors: [[name]] }, { terms: [word(name)] }]);
  const client = new pg.Client({ connectionString: blog.url });
  await client.connect();
  await client.query("SET enable_seqscan = off");
  const scans = [];
  for (const { text, values } of [...(await statementsOf(...searches)), similar(known), similar(unknown)]) {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    scans.push(scansIn(rows[0]["QUERY PLAN"][0].Plan));
  }
  await client.end();
  for (const scan of [scans[0], scans[4]]) expect(scan).toContainEqual(expect.stringMatching(/^User 0 /));
  expect(scans[1]).toContainEqual(expect.stringMatching(/^User_words_idx 0 /));
  expect(scans.slice(0, 2)).toEqual(scans.slice(2, 4));
  expect(scans[4]).toEqual(scans[5]);
});

test("A46-1: many words that stand hundreds of times in each of many posts are ranked in milliseconds", async () => {
  const { id: userId } = await createUser(blog.db, { username: "Noor" });
  const ids: string[] = [];
  for (let n = 0; n < 300; n++) ids.push((await createPost(blog.db, { userId, title: "Slate" })).id);
  const frequent = "slate rain roof stone water bread garden".split(" ");
  await blog.pool.query(
    `UPDATE "PostSearch" SET words = to_tsvector('pg_catalog.simple', repeat($1, 250)) WHERE "postId" = ANY($2::uuid[])`,
    [`${frequent.join(" ")} `, ids],
  );
  const [statement] = await statementsOf({ terms: frequent.map(word) });
  const { rows } = await blog.pool.query(statement!);
  // 50 ms; if each position of a word is compared with each of the others, PostgreSQL cancels it after 4 s.
  expect(rows).toMatchObject([{ total: 300 }]);
});

test("A47-1: of posts with many words, the shortest 64 MB are ranked, and the others follow", async () => {
  const { id: userId } = await createUser(blog.db, { username: "Juno" });
  const create = async (title: string) =>
    (await createPost(blog.db, { userId, title, description: "Granite of a grey quarry." })).id;
  const short = await create("Granite");
  const longest = await create("Number 0");
  for (let n = 1; n < 480; n++) await create(`Number ${n}`);
  // 140 kB for each, of few words, which the index can store soon.
  const lengthen = (first: string, condition: string) =>
    blog.pool.query(`
      WITH long AS MATERIALIZED (SELECT to_tsvector('pg_catalog.simple',
        '${first}' || (SELECT string_agg(repeat('x', 1900) || n, ' ') FROM generate_series(1, 70) n)) AS words)
      UPDATE "PostSearch" SET words = long.words FROM long WHERE ${condition}`);
  for (let last = 0; last < 10; last++) await lengthen("grey granite quarry ", `name LIKE 'Number%${last}'`);
  await lengthen("granite ".repeat(100), `"postId" = '${longest}'`);
  const find = (terms: SearchQuery["terms"], skip = 0) =>
    blog.services.queries.search({ terms, authors: [], categories: [], tags: [] }, { skip, take: 10 });
  const found = await find([word("granite")]);
  expect(found).toMatchObject({ total: 481, isCut: true });
  expect(found.keys[0]).toEqual({ kind: "Post", id: short });
  // It would be the second one.
  expect((await find([word("granite")], 471)).keys.at(-1)).toEqual({ kind: "Post", id: longest });
  const phrase = { words: ["grey", "quarry"], isExcluded: false, isPrefix: false, isPhrase: true };
  expect((await find([phrase])).keys).toEqual([{ kind: "Post", id: short }]);
}, 60_000);

test("A48-1: of thousands of tags with the words, a hundred are compared", async () => {
  await blog.pool.query(`
    WITH named AS (INSERT INTO "Tag" (id, name, "nameKey")
      SELECT gen_random_uuid(), 'how to best home ' || n, 'how to best home ' || n FROM generate_series(1, 3000) n RETURNING id)
    INSERT INTO "PostTag" ("postId", "tagId", position) SELECT (SELECT id FROM "Post" LIMIT 1), id, 0 FROM named`);
  await blog.pool.query("ANALYZE");
  const [statement] = await statementsOf({ terms: [word("best"), word("home")] });
  const { rows } = await blog.pool.query(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${statement!.text}`,
    statement!.values,
  );
  const scans = scansIn(rows[0]["QUERY PLAN"][0].Plan).filter((scan) => scan.startsWith("PostTag"));
  expect(new Set(scans)).toEqual(
    new Set(["PostTag 1 rows of 100", "PostTag_tagId_createdAt_postId_idx 1 rows of 100"]),
  );
  const tags = await blog.services.queries.search(
    { terms: [word("best"), word("home")], authors: [], categories: [], tags: [] },
    { skip: 0, take: 10 },
  );
  expect(tags.keys.map(({ kind }) => kind)).toEqual(["Tag", "Tag", "Tag"]);
});

test("A48-5: found posts are sorted without their words", async () => {
  const [statement] = await statementsOf({ terms: [word("slate")] });
  const { rows } = await blog.pool.query(
    `EXPLAIN (VERBOSE, FORMAT JSON) ${statement!.text}`,
    statement!.values,
  );
  const sorts = nodesOf(rows[0]["QUERY PLAN"][0].Plan).filter((node) =>
    node["Sort Key"]?.[0]?.includes("createdAt"),
  );
  // Each window has one of texts and one of titles.
  expect(sorts.length).toBeGreaterThan(2);
  for (const sort of sorts) expect(sort.Output?.join(" ")).not.toMatch(/words|title/);
});

test("A48-3: a title that normalization makes long is compared by 200 characters", async () => {
  const { id: userId } = await createUser(blog.db, { username: "Ines" });
  const { id } = await createPost(blog.db, { userId, title: `Slaet ${"\ufdfa".repeat(90)}` });
  const { rows } = await blog.pool.query(`SELECT length(name) FROM "PostSearch" WHERE "postId" = $1`, [id]);
  expect(rows).toEqual([{ length: 200 }]);
});

test("B48-2: ANALYZE computes no statistics of what inverted indexes compute from texts", async () => {
  const { rows } = await blog.pool.query(`
    SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
      JOIN pg_attribute ON attrelid = indexrelid
    WHERE amname = 'gin' AND 0 = ANY(indkey) AND attstattarget IS DISTINCT FROM 0 AND relname <> 'User_name_idx'`);
  expect(rows).toEqual([]);
});

type PlanNode = {
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Sort Key"?: string[];
  Output?: string[];
  Plans?: PlanNode[];
};

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The scans of tables and indexes in a plan, with the rows and how often each ran. */
const scansIn = (plan: PlanNode): string[] =>
  nodesOf(plan).flatMap((node) =>
    [node["Relation Name"], node["Index Name"]]
      .filter((name) => name !== undefined)
      .map((name) => `${name} ${node["Actual Rows"]} rows of ${node["Actual Loops"]}`),
  );

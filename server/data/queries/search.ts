import type { SearchResultKeys, SearchQuery, SearchTerm } from "../../domain/post-selection.ts";
import type { Db, Queries } from "../../domain/ports.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { SEARCH } from "../../limits.ts";

// A search is one statement, however much it finds. It takes the newest posts with the words from the indexes, ranks
// only those, and reads other tables by their keys.

const { sql, join, empty, raw } = Prisma;

/** Below this number of results, names that resemble the words are added. */
const FEW = 5;
/** People, categories and tags at most, and posts that are near or similar. */
const [MAX_NAMES, MAX_NEAR] = [3, 20];
/** Shorter words match whole words only: as prefixes they would match most posts. */
const SHORTEST_PREFIX = 3;

/** Weights of text, unused, category and author, title. */
const WEIGHTS = sql`'{0.1, 0.2, 0.6, 1}'::real[]`;

// Words hold no quotes and no backslashes: they are cut at them (domain/searching/words.ts).

const whole = (word: string) => `'${word}'`;
/** A whole word ranks above a word that it begins. */
const beginning = (word: string) =>
  word.length < SHORTEST_PREFIX && /^[\x00-\u024f]*$/.test(word) ? whole(word) : `('${word}' | '${word}':*)`;

const wordsOf = ({ words, isPrefix }: SearchTerm): string[] =>
  words.map((word, index) => (isPrefix && index === words.length - 1 ? beginning(word) : whole(word)));

const strictly = (term: SearchTerm): string => {
  const all = `(${wordsOf(term).join(term.isPhrase ? " <-> " : " & ")})`;
  return term.isExcluded ? `!${all}` : all;
};

/** The part of a term that an index answers without reading the vectors: not the order of words. */
function loosely(term: SearchTerm): string[] {
  if (!term.isExcluded) return wordsOf(term);
  return term.words.length === 1 ? [strictly(term)] : [];
}

const tsquery = (text: string) => sql`to_tsquery('pg_catalog.simple', ${text})`;

const allOf = (words: string[]) => tsquery(words.map((word) => `'${word}':*`).join(" & "));

const filtersOf = ({ authors, categories, tags }: SearchQuery): Prisma.Sql[] => [
  ...authors.map(
    (words) => sql`"userId" IN (SELECT id FROM "User" WHERE "searchWords"(username) @@ ${allOf(words)})`,
  ),
  ...categories.map(
    (words) => sql`category IN (SELECT title FROM "Category" WHERE "searchWords"(title) @@ ${allOf(words)})`,
  ),
  ...tags.map(
    (key) =>
      sql`"postId" IN (SELECT "postId" FROM "PostTag" JOIN "Tag" ON "Tag".id = "tagId" WHERE "nameKey" = ${key})`,
  ),
];

/** A query that the planner does not see: it would expect few hits of two words, and read all of them instead of a window. */
const hiddenQuery = (text: string) => sql`(SELECT ${tsquery(text)})`;

/** The days with the newest posts, by their number: a frequent word has its candidates in the first window. */
const windows = sql`
  SELECT ${join(
    SEARCH.windows.map(
      (posts, index) =>
        sql`coalesce((max(day) FILTER (WHERE total >= ${posts}))::timestamp AT TIME ZONE 'UTC', '-infinity') AS ${raw(`day${index}`)}`,
    ),
  )}
  FROM (SELECT day, sum(sum(posts)) OVER (ORDER BY day DESC) AS total FROM "PostDay" GROUP BY day) days`;

const startOf = (window: number) => sql`(SELECT ${raw(`day${window}`)} FROM windows)`;

/** Without an index for the time, which is slower than reading all hits where they are rare. */
const beforeAll = sql`("createdAt" < ${startOf(SEARCH.windows.length - 1)}) IS TRUE`;

const inWindow = (_posts: number, index: number) =>
  sql`"createdAt" >= ${startOf(index)} AND "createdAt" < ${index > 0 ? startOf(index - 1) : sql`'infinity'`}`;

/**
 * The newest posts of one window after the other: PostgreSQL reads the next one only if it needs more. OFFSET 0 is an
 * optimization fence: the planner would otherwise scan all posts by time and read every vector.
 */
const newest = (condition: Prisma.Sql) => sql`
  SELECT id, "createdAt" FROM (${join(
    [...SEARCH.windows.map(inWindow), beforeAll].map(
      (time) => sql`
        (SELECT id, "createdAt" FROM (
          SELECT "postId" AS id, "createdAt" FROM "PostSearch" WHERE ${condition} AND ${time} OFFSET 0) matching
        ORDER BY "createdAt" DESC, id DESC LIMIT ${SEARCH.candidates})`,
    ),
    " UNION ALL ",
  )}) newest LIMIT ${SEARCH.candidates}`;

function candidatesOf(query: SearchQuery, loose: string): Prisma.Sql {
  const filters = filtersOf(query);
  if (!loose) return newest(join(filters, " AND "));
  const by = (column: Prisma.Sql) =>
    newest(join([sql`${column} @@ ${hiddenQuery(loose)}`, ...filters], " AND "));
  return sql`
    SELECT id, max("createdAt") AS "createdAt" FROM (
      SELECT *, 0 AS tier FROM (${by(sql`title`)}) titled
      UNION ALL SELECT *, 1 FROM (${by(sql`words`)}) texts) both_lists
    GROUP BY id ORDER BY min(tier), max("createdAt") DESC, id DESC LIMIT ${SEARCH.candidates}`;
}

/** People without a post are not public by name, and nobody sees a tag without one. */
const namesOf = (strict: string) => sql`
  (SELECT 'Category' AS kind, id, 0 AS tier, 0.0 AS rank, "createdAt" FROM "Category"
    WHERE "searchWords"(title) @@ ${tsquery(strict)} ORDER BY "createdAt", id LIMIT ${MAX_NAMES})
  UNION ALL (SELECT 'Profile', account.id, 0, 0, "createdAt" FROM (
      SELECT id, "createdAt" FROM "User" WHERE "searchWords"(username) @@ ${tsquery(strict)} OFFSET 0) account
    WHERE EXISTS (SELECT FROM "Post" WHERE "userId" = account.id) ORDER BY "createdAt", id LIMIT ${MAX_NAMES})
  UNION ALL (SELECT 'Tag', tag.id, 0, 0, "createdAt" FROM (
      SELECT id, "createdAt" FROM "Tag" WHERE "searchWords"(name) @@ ${tsquery(strict)} OFFSET 0) tag
    WHERE EXISTS (SELECT FROM "PostTag" WHERE "tagId" = tag.id) ORDER BY "createdAt", id LIMIT ${MAX_NAMES})
  UNION ALL`;

/** IS TRUE keeps the planner from reading all hits of the index instead of the candidates. */
const rankedPosts = (strict: string, included: string) => {
  if (!strict) return sql`SELECT 'Post' AS kind, id, 1 AS tier, 0.0 AS rank, "createdAt" FROM candidates`;
  const rank = included ? sql`round(ts_rank(${WEIGHTS}, words, ${tsquery(included)})::numeric, 2)` : sql`0.0`;
  return sql`SELECT 'Post' AS kind, id, CASE WHEN title @@ ${tsquery(strict)} THEN 1 ELSE 2 END AS tier,
      ${rank} AS rank, candidates."createdAt"
    FROM candidates JOIN "PostSearch" ON "postId" = id WHERE (words @@ ${tsquery(strict)}) IS TRUE`;
};

/** Runs only where the exact results are few. */
const similarNames = (plain: string) => sql`
  SELECT kind, id, 3 AS tier, likeness::numeric AS rank, NULL::timestamptz AS "createdAt"
  FROM "similarNames"(${plain}, ${MAX_NEAR}) AS named
  WHERE (SELECT count(*) FROM exact) < ${FEW} AND NOT EXISTS (SELECT FROM exact WHERE exact.id = named.id)`;

/** Runs only where nothing else was found. */
const nearestPosts = (any: string) => sql`
  (SELECT 'Post' AS kind, id, 4 AS tier, ts_rank(${WEIGHTS}, words, ${tsquery(any)})::numeric AS rank,
      near."createdAt"
    FROM (${newest(sql`words @@ ${hiddenQuery(any)} AND NOT EXISTS (SELECT FROM exact) AND NOT EXISTS (SELECT FROM similar_names)`)}) near
    JOIN "PostSearch" ON "postId" = id ORDER BY rank DESC, "createdAt" DESC LIMIT ${MAX_NEAR})`;

const none = sql`SELECT kind, id, tier, rank, "createdAt" FROM exact WHERE false`;

/** Without exclusions and filters, a query may also mean a name, and resemble one. */
function partsOf(query: SearchQuery) {
  const { terms, authors, categories, tags } = query;
  const strict = terms.map(strictly).join(" & ");
  const included = terms
    .filter((term) => !term.isExcluded)
    .map(strictly)
    .join(" & ");
  const isPlain =
    terms.every((term) => !term.isExcluded) && authors.length + categories.length + tags.length === 0;
  const words = terms.flatMap((term) => (term.isExcluded ? [] : term.words));
  return {
    // Without a word to find, the filters choose, and no index is read for what must be absent.
    candidates: candidatesOf(query, included && terms.flatMap(loosely).join(" & ")),
    exact: sql`${isPlain ? namesOf(strict) : empty} ${rankedPosts(strict, included)}`,
    similar: isPlain ? similarNames(words.join(" ")) : none,
    nearest: isPlain ? nearestPosts(terms.flatMap(wordsOf).join(" | ")) : none,
  };
}

type Row = SearchResultKeys & { keys: SearchResultKeys["keys"] | null };

export const searchQueries = (db: Db): Pick<Queries, "search" | "unindexedPosts"> => ({
  async search(query, { skip, take }) {
    const { candidates, exact, similar, nearest } = partsOf(query);
    const [row] = await db.$queryRaw<Row[]>`
      WITH windows AS MATERIALIZED (${windows}), candidates AS MATERIALIZED (${candidates}), exact AS MATERIALIZED (${exact}),
      similar_names AS MATERIALIZED (${similar}), nearest AS MATERIALIZED (${nearest}),
      found AS (SELECT * FROM exact UNION ALL SELECT * FROM similar_names UNION ALL SELECT * FROM nearest)
      SELECT (SELECT count(*)::int FROM found) AS total,
        (SELECT count(*) FROM candidates) = ${SEARCH.candidates} AS "isCut",
        NOT EXISTS (SELECT FROM exact) AS "isNearest",
        (SELECT json_agg(json_build_object('kind', kind, 'id', id)) FROM (
          SELECT kind, id FROM found ORDER BY tier, rank DESC, "createdAt" DESC NULLS LAST, id DESC
          LIMIT ${take} OFFSET ${skip}) page) AS keys`;
    return { ...(row ?? { total: 0, isCut: false, isNearest: false }), keys: row?.keys ?? [] };
  },

  unindexedPosts: ({ posts, bytes }, id) => db.$queryRaw`
    SELECT id, title, description FROM (
      SELECT id, title, description,
        sum(octet_length(description)) OVER (ORDER BY id DESC) - octet_length(description) AS "bytesBefore"
      FROM (SELECT "postId" FROM "UnindexedPost" WHERE ${id ? sql`"postId" = ${id}::uuid` : sql`TRUE`}
        ORDER BY "postId" DESC LIMIT ${posts}) waiting
      JOIN "Post" ON id = "postId") sized
    WHERE "bytesBefore" < ${bytes} ORDER BY id DESC`,
});

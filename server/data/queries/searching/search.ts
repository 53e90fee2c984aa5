import type { SearchResultKeys, SearchQuery, SearchTerm } from "../../../domain/post-selection.ts";
import type { Db, Queries } from "../../../domain/ports.ts";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { RunPrepared } from "../run-prepared.ts";
import {
  CANDIDATES,
  hasWords,
  isWithin,
  MAX_BYTES,
  newest,
  read,
  windows,
  withVectors,
  type IndexedColumn,
} from "./newest-posts.ts";
import { IS_VERIFIED, MAX_NEAR, names, similarNames } from "./names.ts";
import { openSlowSearches } from "./slow-searches.ts";

// A search is one statement, however much it finds. It takes the newest posts with the words from the indexes, ranks
// only those, and reads other tables by their keys.

const { sql, empty } = Prisma;

/** Shorter words match whole words only: as prefixes they would match most posts, and they resemble most. */
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

const tsquery = (text: string | Prisma.Sql) => sql`to_tsquery('pg_catalog.simple', ${text})`;

/** As the index has words without positions, the parser's phrases become conjunctions: it cuts some words in two. */
const unordered = (query: Prisma.Sql) => sql`regexp_replace(${query}::text, '<(-|\\d+)>', '&', 'g')`;

/** With an @ before each word, which no word has. */
const template = (query: Prisma.Sql) => sql`regexp_replace(${query}, '''([^'']+)''', '''@\\1''', 'g')`;

const allOf = (words: string[]) => tsquery(words.map((word) => `'${word}':*`).join(" & "));

const isFiltered = ({ authors, categories, tags }: SearchQuery) =>
  authors.length + categories.length + tags.length > 0;

/**
 * The planner takes every tag for a rare one: with words it would compare each found post with all posts of the tag. It does
 * not make a join of a subquery that returns a value.
 */
const taggedBy = (key: string, hasWords: boolean) =>
  hasWords
    ? sql`(SELECT true FROM "PostTag" WHERE "PostTag"."postId" = found."postId"
        AND "tagId" = (SELECT id FROM "Tag" WHERE "nameKey" = ${key}))`
    : sql`"postId" IN (SELECT "postId" FROM "PostTag" JOIN "Tag" ON "Tag".id = "tagId" WHERE "nameKey" = ${key})`;

const filtersOf = ({ authors, categories, tags }: SearchQuery, hasWords: boolean): Prisma.Sql[] => [
  ...authors.map(
    (words) => sql`"userId" IN (
      SELECT id FROM "User" WHERE "searchWords"(username) @@ ${allOf(words)} AND ${IS_VERIFIED})`,
  ),
  ...categories.map(
    (words) => sql`category IN (SELECT title FROM "Category" WHERE "searchWords"(title) @@ ${allOf(words)})`,
  ),
  ...tags.map((key) => taggedBy(key, hasWords)),
];

/** Whether there may be more posts with the words than are ranked. If not, all with the words in the title are among them. */
const IS_CUT = sql`(SELECT "isCut" FROM cut)`;

/**
 * Rank, which is null for posts that only have the words of a phrase, or whose words were not read for one, and whether all
 * words are in the title. For a query with AND, `ts_rank` would compare all positions of each two words.
 */
function rankOf({ strict, either }: Texts): Prisma.Sql {
  if (!strict) return sql`0::float8 AS rank, true AS "isTitled"`;
  // In hundredths, so that the newer of two alike is first.
  const rank = either
    ? sql`coalesce(round(100 * ts_rank(${WEIGHTS}, words, (SELECT either FROM given))), 0)`
    : sql`0::float8`;
  return sql`
    CASE WHEN (SELECT "isExact" FROM given) OR words @@ (SELECT strict FROM given) THEN ${rank} END AS rank,
    title @@ (SELECT strict FROM given) AS "isTitled"`;
}

/** The posts to rank: those with the words in the title, then those with them anywhere. */
function candidatesOf(query: SearchQuery, texts: Texts): Prisma.Sql {
  const filters = filtersOf(query, texts.loose !== "");
  const columns = rankOf(texts);
  const cut = sql`cut AS MATERIALIZED (
    SELECT count(*) = ${CANDIDATES} OR coalesce(max(bytes) > ${MAX_BYTES}, false) AS "isCut" FROM texts)`;
  // Without a word to find, the filters choose, and no index is read for what must be absent.
  if (!texts.loose)
    return sql`
      texts AS MATERIALIZED (
        SELECT id, "createdAt", 0 AS bytes, ${columns}
        FROM ${withVectors(newest({ condition: isWithin, others: filters }))}), ${cut},
      candidates AS (SELECT * FROM texts)`;
  const by = (column: IndexedColumn, others: Prisma.Sql[]) => {
    const condition = hasWords(column, sql`(SELECT "hasAll" FROM given)`);
    return sql`SELECT id, "createdAt", bytes, ${columns} FROM ${read({ condition, others, filters })}`;
  };
  return sql`
    texts AS MATERIALIZED (${by("words", [])}), ${cut},
    titled AS MATERIALIZED (${by("title", [IS_CUT])}),
    candidates AS (
      SELECT * FROM titled UNION ALL SELECT * FROM texts WHERE id NOT IN (SELECT id FROM titled) LIMIT ${CANDIDATES})`;
}

/** A text for the full-text parser, with its operators. The planner sees no query: it would take it for a rare one. */
const givenOf = ({ strict, loose, either, excluded }: Texts) => sql`
  SELECT strict, either::tsquery AS either, strict::text = words::tsquery::text AS "isExact",
    ${template(sql`either`)} AS "hasEither",
    ${template(sql`'(' || words || ')' || (
      SELECT coalesce(string_agg(' & !' || query::text, ''), '')
      FROM unnest(${excluded}::text[]) AS word CROSS JOIN ${tsquery(sql`word`)} AS query
      WHERE numnode(query) = 1)`)} AS "hasAll"
  FROM (SELECT ${tsquery(strict)} AS strict, ${unordered(tsquery(either))} AS either, nullif(${unordered(tsquery(loose))}, '') AS words) queries`;

const rankedPosts = sql`
  SELECT 'Post' AS kind, id, CASE WHEN "isTitled" THEN 1 ELSE 2 END AS tier, rank, "createdAt"
  FROM candidates WHERE rank IS NOT NULL`;

const nearestPosts = sql`
  (SELECT 'Post' AS kind, id, 4 AS tier, rank, "createdAt" FROM (
    SELECT id, "createdAt", coalesce(ts_rank(${WEIGHTS}, words, (SELECT either FROM given)), 0)::float8 AS rank
    FROM ${read({
      condition: hasWords("words", sql`(SELECT "hasEither" FROM given)`),
      others: [sql`NOT EXISTS (SELECT FROM exact)`, sql`NOT EXISTS (SELECT FROM similar_names)`],
    })}) near ORDER BY rank DESC, "createdAt" DESC LIMIT ${MAX_NEAR})`;

const none = sql`SELECT kind, id, tier, rank, "createdAt" FROM exact WHERE false`;

type Texts = Record<"strict" | "loose" | "either", string> & { excluded: string[] };

function textsOf({ terms }: SearchQuery): Texts {
  const included = terms.filter((term) => !term.isExcluded);
  const excluded = terms.filter((term) => term.isExcluded && term.words.length === 1);
  return {
    strict: terms.map(strictly).join(" & "),
    loose: included.flatMap(wordsOf).join(" & "),
    either: included.flatMap(wordsOf).join(" | "),
    excluded: excluded.flatMap(wordsOf),
  };
}

type Slice = { skip: number; take: number };

/** Without exclusions and filters, a query may also mean a name, and resemble one. */
function statementOf(query: SearchQuery, mayBeMisspelt: boolean, { skip, take }: Slice): Prisma.Sql {
  const { terms } = query;
  const texts = textsOf(query);
  const isPlain = terms.every((term) => !term.isExcluded) && !isFiltered(query);
  const plain = terms.flatMap((term) => (term.isExcluded ? [] : term.words)).join(" ");
  const mayResemble = mayBeMisspelt && isPlain && plain.length >= SHORTEST_PREFIX;
  return sql`
    WITH given AS MATERIALIZED (${givenOf(texts)}), windows AS MATERIALIZED (${windows}),
    ${candidatesOf(query, texts)},
    exact AS MATERIALIZED (${isPlain ? names : empty} ${rankedPosts}),
    similar_names AS MATERIALIZED (${mayResemble ? similarNames(plain) : none}),
    nearest AS MATERIALIZED (${isPlain ? nearestPosts : none})
    SELECT ((SELECT count(*) FROM exact) + (SELECT count(*) FROM similar_names) + (SELECT count(*) FROM nearest))::int AS total,
      ${IS_CUT} AS "isCut",
      NOT EXISTS (SELECT FROM exact) AS "isNearest",
      (SELECT json_agg(json_build_object('kind', kind, 'id', id)) FROM (
        SELECT kind, id FROM (
          SELECT * FROM exact UNION ALL SELECT * FROM similar_names UNION ALL SELECT * FROM nearest) found
        ORDER BY tier, rank DESC, "createdAt" DESC NULLS LAST, id DESC
        LIMIT ${take} OFFSET ${skip}) page) AS keys`;
}

type Row = SearchResultKeys & { keys: SearchResultKeys["keys"] | null };

/**
 * Both run on a pool: on a shared connection, the statement would delay those behind it.
 * @param run does not prepare: each combination of filters is another statement
 */
export const searchQueries = (
  db: Db,
  runPrepared: RunPrepared,
  run: RunPrepared,
  limitSlow = openSlowSearches(),
): Pick<Queries, "search" | "unindexedPosts"> => ({
  search: (given, slice) =>
    limitSlow(given, async (query, mayBeMisspelt) => {
      const { text, values } = statementOf(query, mayBeMisspelt, slice);
      const [row] = await (isFiltered(query) ? run : runPrepared)<Row>(text, values);
      return { ...(row ?? { total: 0, isCut: false, isNearest: false }), keys: row?.keys ?? [] };
    }),

  unindexedPosts: ({ posts, bytes }, id) => db.$queryRaw`
    SELECT id, title, description FROM (
      SELECT id, title, description,
        sum(octet_length(description)) OVER (ORDER BY id DESC) - octet_length(description) AS "bytesBefore"
      FROM (SELECT "postId" FROM "UnindexedPost" WHERE ${id ? sql`"postId" = ${id}::uuid` : sql`TRUE`}
        ORDER BY "postId" DESC LIMIT ${posts}) waiting
      JOIN "Post" ON id = "postId") sized
    WHERE "bytesBefore" < ${bytes} ORDER BY id DESC`,
});

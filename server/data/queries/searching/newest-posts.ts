import { Prisma } from "../../../generated/prisma/client.ts";
import { SEARCH } from "../../../limits.ts";

const { sql, join, raw } = Prisma;

export const CANDIDATES = raw(`${SEARCH.candidates}`);
export const MAX_BYTES = raw(`${SEARCH.bytes}`);

const EPOCH = sql`'1970-01-01'::date`;

const startOf = (week: Prisma.Sql) => sql`((${EPOCH} + 7 * ${week})::timestamp AT TIME ZONE 'UTC')`;

/**
 * Weeks by the number of newer posts: a frequent word has its candidates in the first windows. A window holds whole weeks,
 * since the index has the words of each week apart.
 */
export const windows = sql`
  SELECT width_bucket(newer, ${raw(`'{${SEARCH.windows.join()}}'`)}::bigint[]) AS number,
    array_agg("searchWeek"(${startOf(sql`week`)})) AS weeks,
    ${startOf(sql`min(week)`)} AS "from", ${startOf(sql`(max(week) + 1)`)} AS until
  FROM (SELECT week, (sum(sum(posts)) OVER (ORDER BY week DESC) - sum(posts))::bigint AS newer
    FROM (SELECT floor((day - ${EPOCH}) / 7::float8)::int AS week, posts FROM "PostDay") days
    GROUP BY week HAVING sum(posts) > 0) counted
  GROUP BY 1`;

type Condition = (window: Prisma.Sql) => Prisma.Sql;

/** The letters before words in the index, after the week. */
const LETTERS = { title: raw("'t'"), words: raw("'w'") };

export type IndexedColumn = keyof typeof LETTERS;

/** Puts week and letter in place of each @ of a query: once for each week of the window. */
export const hasWords =
  (column: IndexedColumn, query: Prisma.Sql): Condition =>
  (window) => sql`"wordsOfWeek"(title, words, "createdAt") @@ ANY ((
    SELECT array_agg(replace(${query}, '@', week || ${LETTERS[column]})::tsquery)
    FROM windows CROSS JOIN unnest(weeks) AS week WHERE number = ${window})::tsquery[])`;

export const isWithin: Condition = (window) => sql`
  "createdAt" >= (SELECT "from" FROM windows WHERE number = ${window})
  AND "createdAt" < (SELECT until FROM windows WHERE number = ${window})`;

type Wanted = {
  condition: Condition;
  others: Prisma.Sql[];
  filters?: Prisma.Sql[];
};

/**
 * The newest posts of one window after the other: PostgreSQL reads the next one only if it needs more. OFFSET 0 is an
 * optimization fence: the planner would otherwise read every vector, or compute the words of each post of a tag.
 */
export const newest = ({ condition, others, filters = [] }: Wanted) => sql`
  SELECT * FROM (${join(
    [0, ...SEARCH.windows].map(
      (_posts, number) => sql`
        (SELECT * FROM (SELECT "postId" AS id, "createdAt"
            FROM ${filtered(sql`"PostSearch" WHERE ${join([condition(raw(`${number}`)), ...others], " AND ")}`, filters)}
            OFFSET 0) matching
          ORDER BY "createdAt" DESC, id DESC LIMIT ${CANDIDATES})`,
    ),
    " UNION ALL ",
  )}) newest LIMIT ${CANDIDATES}`;

/** The rows are read again by their keys: with the vectors, thousands would be sorted on the disk. */
export const withVectors = (found: Prisma.Sql) => sql`
  (${found}) found CROSS JOIN LATERAL (SELECT title, words FROM "PostSearch" WHERE "postId" = found.id LIMIT 1) stored`;

/** Reads the vectors of the shortest posts, up to `SEARCH.bytes`: the words of the others are null. `setweight` copies a vector, which each function would else read again. */
export const read = (wanted: Wanted) => sql`(
  SELECT id, "createdAt", title, bytes, CASE WHEN bytes <= ${MAX_BYTES} THEN setweight(words, 'D', '{}') END AS words
  FROM (SELECT *, sum(pg_column_size(words)) OVER (ORDER BY pg_column_size(words), "createdAt" DESC, id DESC) AS bytes
    FROM ${withVectors(newest(wanted))}) measured
  OFFSET 0) read`;

const filtered = (rows: Prisma.Sql, filters: Prisma.Sql[]) =>
  filters.length === 0 ? rows : sql`(SELECT * FROM ${rows} OFFSET 0) found WHERE ${join(filters, " AND ")}`;

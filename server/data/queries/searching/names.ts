import { Prisma } from "../../../generated/prisma/client.ts";

const { sql, raw } = Prisma;

/** Below this number of results, names that resemble the words are added. */
const FEW = 5;
/** People, categories and tags at most, and posts that are near or similar. */
const MAX_NAMES = raw("3");
export const MAX_NEAR = raw("20");

/** A registration makes an unverified account only if its email address is unknown: not even the duration of a search may show it. */
export const IS_VERIFIED = raw('"verifiedAt" IS NOT NULL');

const MAX_COMPARED = raw("100");

const named = (table: string, column: string) => sql`
  SELECT id, "createdAt" FROM ${raw(`"${table}"`)} WHERE "searchWords"(${raw(column)}) @@ (SELECT strict FROM given)`;

/** Rows of the names found first that have a post: a subquery that returns a value is no join with all posts. */
const withPosts = (found: Prisma.Sql, posts: Prisma.Sql) => sql`
  SELECT id, "createdAt" FROM (${found} OFFSET 0) found WHERE (SELECT true FROM ${posts} LIMIT 1) LIMIT ${MAX_COMPARED}`;

const oldest = (kind: string, found: Prisma.Sql) => sql`
  (SELECT ${raw(`'${kind}'`)} AS kind, id, 0 AS tier, 0::float8 AS rank, "createdAt" FROM (${found}) found
    ORDER BY "createdAt", id LIMIT ${MAX_NAMES})`;

const people = sql`${named("User", "username")} AND ${IS_VERIFIED}`;

/** People without a post are not public by name, and nobody sees a tag without one. */
export const names = sql`
  ${oldest("Category", named("Category", "title"))}
  UNION ALL ${oldest("Profile", withPosts(people, sql`"Post" WHERE "userId" = found.id`))}
  UNION ALL ${oldest("Tag", withPosts(named("Tag", "name"), sql`"PostTag" WHERE "tagId" = found.id`))}
  UNION ALL`;

/** Runs only where the exact results are few. */
export const similarNames = (plain: string) => sql`
  SELECT kind, id, 3 AS tier, likeness::float8 AS rank, NULL::timestamptz AS "createdAt"
  FROM "similarNames"(${plain}, ${MAX_NEAR}) AS named
  WHERE (SELECT count(*) FROM exact) < ${raw(`${FEW}`)} AND NOT EXISTS (SELECT FROM exact WHERE exact.id = named.id)`;

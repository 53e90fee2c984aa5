import { badInput } from "../errors.ts";
import { Prisma } from "../generated/prisma/client.ts";
import { containing } from "./lists.ts";

/** What stands between words: the same characters as in the function "postWords" of the database. */
const MARKS = /[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+/u;

/**
 * Posts in which every word of the search begins a word of the title or the text. What is written with marks,
 * such as 100% or snake_case, must also stand there just so.
 * @throws BAD_USER_INPUT without a word: no index could answer, and every text would be scanned
 */
export function matchesFullText(search: string): Prisma.Sql {
  const parts = search.split(/\s+/);
  const words = parts.flatMap((part) => part.split(MARKS)).filter(Boolean);
  if (words.length === 0) throw badInput(NO_WORD, { search: NO_WORD });
  const query = words.map((word) => `${word}:*`).join(" & ");
  const literal = parts.filter((part) => MARKS.test(part)).map(containing);
  const conditions = literal.map((part) => Prisma.sql`(title ILIKE ${part} OR description ILIKE ${part})`);
  // Each OFFSET 0 keeps a step apart: a planner that expects many hits would cut up one post after the other, or
  // look for the marks in every text before it asks the index.
  return Prisma.sql`node.id IN (SELECT id FROM (
    SELECT id, title, description FROM "Post"
    WHERE "postWords"(title, description) @@ to_tsquery('pg_catalog.simple', ${query}) OFFSET 0) found
    WHERE ${Prisma.join([Prisma.sql`TRUE`, ...conditions], " AND ")} OFFSET 0)`;
}

const NO_WORD = '"search" must contain a letter or a digit';

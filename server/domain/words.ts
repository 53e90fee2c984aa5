import { Prisma } from "../generated/prisma/client.ts";
import { containing } from "./lists.ts";

/** What stands between words: the same characters as in the function "postWords" of the database. */
const MARKS = /[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+/u;

/**
 * Posts in which every word of the search begins a word of the title or the text. What is written with marks,
 * such as 100% or snake_case, must also stand there just so.
 */
export function whereWords(search: string): Prisma.Sql[] {
  const parts = search.split(/\s+/);
  const words = parts.flatMap((part) => part.split(MARKS)).filter(Boolean);
  const literal = parts.filter((part) => MARKS.test(part)).map(containing);
  const query = words.map((word) => `${word}:*`).join(" & ");
  return [
    // OFFSET 0 keeps it apart, or a planner that expects many hits would cut up one post after the other.
    ...(query
      ? [
          Prisma.sql`node.id IN (SELECT id FROM "Post"
            WHERE "postWords"(title, description) @@ to_tsquery('pg_catalog.simple', ${query}) OFFSET 0)`,
        ]
      : []),
    ...literal.map((part) => Prisma.sql`(node.title ILIKE ${part} OR node.description ILIKE ${part})`),
  ];
}

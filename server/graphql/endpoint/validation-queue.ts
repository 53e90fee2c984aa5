import { setImmediate as nextIteration } from "node:timers/promises";
import { Lexer, Source, TokenKind, type Token } from "graphql";
import { badInput } from "../../errors.ts";
import { createBulkhead } from "../../queue.ts";
import { MAX_TOKENS, refuseLongDocument } from "./limits.ts";

const permits = createBulkhead("documents");

/** Limits of one name in a document, and of fragments: validation compares fields of one name pair by pair. */
const MAX_REPEATED = 120;
const MAX_FRAGMENTS = 60;
/** Fragments times names: validation compares fragments pair by pair, with all their fields. */
const MAX_COMPARED = 25_000;

/**
 * Waits for a permit to parse and validate a document, which blocks the event loop.
 * @returns the release, which is idempotent
 * @throws BAD_USER_INPUT, UNAVAILABLE; a GraphQLError for a document that is too long
 */
export async function acquireValidationPermit(source: unknown, origin: string): Promise<() => void> {
  if (typeof source === "string") {
    refuseLongDocument(source);
    refuseRepetition(source);
  }
  const release = await permits.acquire(origin);
  // Lets the event loop run between two validations.
  await nextIteration();
  let isReleased = false;
  return () => {
    if (!isReleased) release();
    isReleased = true;
  };
}

function refuseRepetition(source: string): void {
  const counts = countNames(source);
  const fragments = counts.get("fragment") ?? 0;
  if (fragments > MAX_FRAGMENTS) throw badInput(`this document has more than ${MAX_FRAGMENTS} fragments`);
  const names = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (fragments * names > MAX_COMPARED)
    throw badInput(
      `this document has ${fragments} fragments and ${names} names: multiplied, they may be ${MAX_COMPARED} at most`,
    );
  for (const [name, count] of counts)
    if (count > MAX_REPEATED)
      throw badInput(`this document names "${name.slice(0, 50)}" more than ${MAX_REPEATED} times`);
}

/** @returns nothing for a document with too many tokens or a syntax error: the parser refuses both */
function countNames(source: string): Map<string, number> {
  const counts = new Map<string, number>();
  const lexer = new Lexer(new Source(source));
  for (let tokens = 0; tokens <= MAX_TOKENS; tokens++) {
    const token = advance(lexer);
    if (token?.kind === TokenKind.EOF) return counts;
    if (!token) break;
    if (token.kind === TokenKind.NAME) counts.set(token.value, (counts.get(token.value) ?? 0) + 1);
  }
  return new Map();
}

function advance(lexer: Lexer): Token | null {
  try {
    return lexer.advance();
  } catch {
    return null;
  }
}

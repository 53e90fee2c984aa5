import { setImmediate as nextIteration } from "node:timers/promises";
import { badInput } from "../../errors.ts";
import { createBulkhead } from "../../queue.ts";
import { MAX_TOKENS, refuseLongDocument } from "./limits.ts";

const permits = createBulkhead("documents");

/** Occurrences of one name in a document: validation compares fields of one name pair by pair. */
const MOST_REPEATED = 120;

/**
 * Waits for a permit to parse and validate a document, which blocks the event loop.
 * @returns the release, which is idempotent
 * @throws BAD_USER_INPUT, UNAVAILABLE; a GraphQLError for a document that is too long
 */
export async function acquireValidation(source: unknown, origin: string): Promise<() => void> {
  if (typeof source === "string") {
    refuseLongDocument(source);
    refuseRepetition(source);
  }
  const release = await permits.enter(origin);
  // Lets the event loop run between two validations.
  await nextIteration();
  let isReleased = false;
  return () => {
    if (!isReleased) release();
    isReleased = true;
  };
}

function refuseRepetition(source: string): void {
  const names = source.match(/[_A-Za-z]\w*/g) ?? [];
  // The parser refuses so many tokens.
  if (names.length > MAX_TOKENS) return;
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts)
    if (count > MOST_REPEATED)
      throw badInput(`this document names "${name.slice(0, 50)}" more than ${MOST_REPEATED} times`);
}

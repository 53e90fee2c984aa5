import { setImmediate as nextTurn } from "node:timers/promises";
import { badInput } from "../../errors.ts";
import { createBulkhead } from "../../queue.ts";
import { MAX_TOKENS, refuseLongDocument } from "./limits.ts";

const places = createBulkhead("documents");

/** How often one name may occur in a document: fields of one name are compared with each other, pair by pair. */
const MOST_REPEATED = 120;

/**
 * Waits for its turn to parse and validate a document, during which nothing else runs.
 * @returns gives the place back; harmless a second time
 * @throws BAD_USER_INPUT, UNAVAILABLE; a GraphQLError for a document that is too long
 */
export async function enterToValidate(source: unknown, origin: string): Promise<() => void> {
  if (typeof source === "string") {
    refuseLongDocument(source);
    refuseRepetition(source);
  }
  const leave = await places.enter(origin);
  // Between two of them everybody else has a turn.
  await nextTurn();
  let hasLeft = false;
  return () => {
    if (!hasLeft) leave();
    hasLeft = true;
  };
}

function refuseRepetition(source: string): void {
  const names = source.match(/[_A-Za-z]\w*/g) ?? [];
  // The parser refuses it before anything is compared.
  if (names.length > MAX_TOKENS) return;
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts)
    if (count > MOST_REPEATED)
      throw badInput(`this document names "${name.slice(0, 50)}" more than ${MOST_REPEATED} times`);
}

import { Lexer, Source, TokenKind, type Token } from "graphql";
import { badInput } from "../../errors.ts";
import type { Scheduler } from "../../http/limits/event-loop-scheduler.ts";
import { networkOf } from "../../networks.ts";
import { createBulkhead } from "../../queue.ts";
import { MAX_TOKENS, refuseLongDocument } from "./limits.ts";

const permits = createBulkhead("documents");

/** Limits of one name in a document, and of fragments: validation compares fields of one name pair by pair. */
const MAX_REPEATED = 120;
const MAX_FRAGMENTS = 60;
/** Fragments times names: validation compares fragments pair by pair, with all their fields. */
const MAX_COMPARED = 25_000;

/**
 * Waits for its turn and a permit to parse and validate a document, which blocks the event loop.
 * @throws BAD_USER_INPUT, UNAVAILABLE; a GraphQLError for a document that is too long
 */
export async function acquireValidationPermit(
  source: unknown,
  origin: string,
  scheduler: Pick<Scheduler, "next">,
): Promise<() => void> {
  if (typeof source === "string") {
    refuseLongDocument(source);
    refuseRepetition(source);
  }
  // First, since the permit charges its time to the network.
  await scheduler.next(networkOf(origin));
  return permits.acquire(origin);
}

function refuseRepetition(source: string): void {
  const { counts, spreads } = readNames(source);
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
  for (const name of spreads.keys())
    if (includes(spreads, name, name))
      throw badInput(`the fragment "${name.slice(0, 50)}" of this document includes itself`);
}

/** Validation of a fragment that includes itself may exceed the stack. */
function includes(spreads: Spreads, from: string, name: string, seen = new Set<string>()): boolean {
  return [...(spreads.get(from) ?? [])].some((each) => {
    if (each === name) return true;
    if (seen.has(each)) return false;
    return includes(spreads, each, name, seen.add(each));
  });
}

/** The fragments in each fragment. */
type Spreads = Map<string, Set<string>>;

/** @returns nothing for a document with too many tokens or a syntax error: the parser refuses both */
function readNames(source: string): { counts: Map<string, number>; spreads: Spreads } {
  const [counts, spreads] = [new Map<string, number>(), new Map() as Spreads];
  const lexer = new Lexer(new Source(source));
  const open = { sets: 0, arguments: 0 };
  let fragment: Set<string> | null = null;
  let last: string = TokenKind.SOF;
  for (let tokens = 0; tokens <= MAX_TOKENS; tokens++) {
    const token = advance(lexer);
    if (token?.kind === TokenKind.EOF) return { counts, spreads };
    if (!token) break;
    if (token.kind === TokenKind.PAREN_L) open.arguments++;
    if (token.kind === TokenKind.PAREN_R) open.arguments--;
    const isOfObject = open.arguments > 0;
    if (token.kind === TokenKind.BRACE_L && !isOfObject) open.sets++;
    if (token.kind === TokenKind.BRACE_R && !isOfObject && --open.sets === 0) fragment = null;
    const previous = last;
    last = token.kind === TokenKind.NAME ? token.value : token.kind;
    if (token.kind !== TokenKind.NAME) continue;
    const { value } = token;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (previous === TokenKind.SPREAD) fragment?.add(value);
    else if (open.sets === 0 && fragment === null && previous === "fragment") {
      fragment = spreads.get(value) ?? new Set();
      spreads.set(value, fragment);
    }
  }
  return { counts: new Map(), spreads: new Map() };
}

function advance(lexer: Lexer): Token | null {
  try {
    return lexer.advance();
  } catch {
    return null;
  }
}

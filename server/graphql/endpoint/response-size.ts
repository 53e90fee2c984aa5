import { GraphQLError } from "graphql";
import { type BlogError, statusOf } from "../../errors.ts";
import { createBulkhead } from "../../queue.ts";
import type { OperationStats } from "./cost.ts";

/** Characters of one answer: a hundred posts of the greatest length, or all of what people write as long as usual. */
const MAX_LENGTH = 8_000_000;
/** Operations below these figures stay far from it: the site itself asks for one text with its HTML, which is five. */
const [FEW_TEXTS, LOW_COST] = [10, 1_500];

const places = createBulkhead("operations");

const isCheap = ({ texts, cost }: OperationStats) => texts <= FEW_TEXTS && cost <= LOW_COST;

/**
 * A place is given back as long after the work as that took: an origin that goes on asking has half of the time, and
 * others the rest.
 */
const afterRest = (leave: () => void): (() => void) => {
  const began = performance.now();
  return () => void setTimeout(leave, Math.min(1_000, performance.now() - began)).unref();
};

/** Runs an operation when it is its turn, where it is dear: one that reads many whole texts, for instance. */
export async function runInTurn<T>(
  figures: OperationStats,
  origin: string,
  run: () => T | Promise<T>,
): Promise<T> {
  if (isCheap(figures)) return run();
  const leave = afterRest(await places.enter(origin));
  try {
    return await run();
  } finally {
    leave();
  }
}

/**
 * The same for who cannot hand over what runs.
 * @returns gives the place back; to be called once
 * @throws GraphQLError UNAVAILABLE
 */
export async function enterInTurn(figures: OperationStats, origin: string): Promise<() => void> {
  if (isCheap(figures)) return () => undefined;
  const leave = await places.enter(origin).catch((error: BlogError) => {
    const { message, code, retryAfter } = error;
    throw new GraphQLError(message, { extensions: { code, retryAfter, http: { status: statusOf[code] } } });
  });
  return afterRest(leave);
}

/**
 * Looked at before it is written as JSON, where aliases of one text become as many copies.
 * @returns what to answer instead, null where the answer may be sent
 */
export function refuseLongAnswer(figures: OperationStats, data: unknown): GraphQLError | null {
  if (isCheap(figures)) return null;
  if (lengthOf(data) <= MAX_LENGTH) return null;
  return new GraphQLError(
    `this answer would be more than ${MAX_LENGTH / 1_000_000} million characters long: ask for fewer texts at once`,
    { extensions: { code: "BAD_USER_INPUT", answer: { limit: MAX_LENGTH } } },
  );
}

const CONTROL = /[\u0000-\u001f]/g;

/** About how long a value is as JSON; looks no further once that is beyond the limit. */
function lengthOf(value: unknown): number {
  // JSON writes a control character as six.
  if (typeof value === "string") return value.length + 2 + 5 * (value.match(CONTROL)?.length ?? 0);
  if (typeof value !== "object" || value === null) return 5;
  let length = 2;
  for (const name in value) {
    length += name.length + 4 + lengthOf((value as Record<string, unknown>)[name]);
    if (length > MAX_LENGTH) break;
  }
  return length;
}

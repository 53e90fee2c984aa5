import { GraphQLError, type OperationTypeNode } from "graphql";
import { BlogError, toBlogError } from "../../errors.ts";
import { createBulkhead, delayRelease } from "../../queue.ts";
import type { GraphQLContext } from "../context.ts";
import { removeEndedViewer } from "../ended-sessions.ts";
import type { OperationStats } from "./cost.ts";
import { requestError } from "./errors.ts";

/** Characters of one response: about a hundred posts of the greatest length. */
const MAX_LENGTH = 8_000_000;
/**
 * Operations below these figures stay far from MAX_LENGTH and run few statements: each aliased field may run one. The
 * client's own need 5 texts (a text and its HTML).
 */
const FEW_TEXTS = 10;
const FEW_FILES = 50;
const LOW_COST = 1_500;
const FEW_ALIASES = 10;
/** Fields of introspection, which takes about 1 µs for each. */
const SMALL_SCHEMA = 5_000;

/** Up to FREE_COST an operation needs no permit, up to QUICK_COST one of `quick_operations`. */
const [FREE_COST, QUICK_COST] = [5, 300];

const permits = {
  quick: createBulkhead("quick_operations"),
  short: createBulkhead("short_operations"),
  long: createBulkhead("operations"),
};

const isShort = ({ texts, files, cost, schema }: OperationStats) =>
  texts <= FEW_TEXTS && files <= FEW_FILES && cost <= LOW_COST && schema <= SMALL_SCHEMA;

/** graphql-js executes introspection in one step, which takes up to 0.1 s. */
export const isLongIntrospection = ({ schema }: OperationStats): boolean => schema > SMALL_SCHEMA;

type OperationType = `${OperationTypeNode}`;

function kindOf(stats: OperationStats): keyof typeof permits | null {
  if (!isShort(stats) || stats.aliases > FEW_ALIASES) return "long";
  if (stats.cost > QUICK_COST) return "short";
  return stats.cost > FREE_COST ? "quick" : null;
}

const UNREAD_RESULT = "The change was made, but the server is busy: ask for its result later, by a query";

function refuseRequest(error: unknown): never {
  throw requestError(toBlogError(error));
}

async function acquire(kind: keyof typeof permits, origin: string): Promise<() => void> {
  const release = await permits[kind].acquire(origin).catch(refuseRequest);
  return kind === "long" ? delayRelease(release) : release;
}

/** @throws BlogError UNAVAILABLE, which is the error of the mutation's field */
const acquireForResult = (kind: keyof typeof permits, origin: string): Promise<() => void> =>
  permits[kind].acquire(origin).catch(({ code, retryAfter }: BlogError) => {
    throw new BlogError(code, UNREAD_RESULT, { retryAfter });
  });

/**
 * Acquires a permit for an operation that costs something, until its context is released. A mutation first does its own
 * work, which may wait for a file or a hash: these have queues of their own. A session that ends meanwhile does not count.
 * @throws GraphQLError UNAVAILABLE
 */
export async function acquirePermit(
  stats: OperationStats,
  context: Pick<GraphQLContext, "ctx" | "contexts" | "loaders" | "releases" | "queueResult">,
  type: OperationType,
): Promise<void> {
  const { origin } = context.ctx;
  const kind = kindOf(stats);
  if (kind === null) return;
  if (type !== "mutation" || kind === "long") {
    context.releases.push(await acquire(kind, origin));
    await removeEndedViewer(context).catch(refuseRequest);
    return;
  }
  let release = () => {};
  context.releases.push(() => release());
  context.queueResult = async (change) => {
    release();
    release = () => {};
    const result = await change();
    release = await acquireForResult(kind, origin);
    await removeEndedViewer(context);
    return result;
  };
}

/** An operation with a file would hold the permit of an expensive one while the file arrives. @throws GraphQLError BAD_USER_INPUT */
export function refuseExpensiveForm(stats: OperationStats): void {
  if (isShort(stats)) return;
  throw new GraphQLError(
    `an operation with a file may cost ${LOW_COST}, read ${FEW_TEXTS} texts and list the files of ${FEW_FILES} pictures: ask for more in another request`,
    { extensions: { code: "BAD_USER_INPUT", http: { status: 400 } } },
  );
}

/** Runs before serialization, which copies a text for each alias. @returns the error to send instead, or null */
export function refuseLongResponse(stats: OperationStats, data: unknown): GraphQLError | null {
  if (isShort(stats)) return null;
  if (lengthOf(data) <= MAX_LENGTH) return null;
  return new GraphQLError(
    `this answer would be more than ${MAX_LENGTH / 1_000_000} million characters long: ask for fewer texts at once`,
    { extensions: { code: "BAD_USER_INPUT", answer: { limit: MAX_LENGTH } } },
  );
}

const CONTROL = /[\u0000-\u001f]/g;

/** Approximate length as JSON; stops counting beyond MAX_LENGTH. */
function lengthOf(value: unknown): number {
  // JSON escapes a control character as six.
  if (typeof value === "string") return value.length + 2 + 5 * (value.match(CONTROL)?.length ?? 0);
  if (typeof value !== "object" || value === null) return 5;
  let length = 2;
  for (const name in value) {
    length += name.length + 4 + lengthOf((value as Record<string, unknown>)[name]);
    if (length > MAX_LENGTH) break;
  }
  return length;
}

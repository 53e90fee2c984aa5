import type { GraphQLRequest } from "@apollo/server";
import { GraphQLError } from "graphql";
import type { OperationStats } from "./cost.ts";

/**
 * Limits of one operation: every field of 100 posts and of three comments of each, which is more than five times the
 * client's most expensive one. `texts` counts full texts of posts, `files` pictures whose files are listed; `schema`
 * allows twice a tool's full introspection.
 */
export const OPERATION_LIMITS = {
  ...{ cost: 9_500, depth: 12, aliases: 50, directives: 50, bytes: 20_000 },
  ...{ texts: 1_000, files: 500, schema: 210_000 },
  /** graphql-js scans all line ends before an error for its location. */
  lines: 500,
};

/** Enforced by the parser. */
export const MAX_TOKENS = 2_000;

const sentences = {
  bytes: (count) => `is ${count} bytes long`,
  lines: (count) => `has ${count} lines`,
  depth: (levels) => `is nested ${levels} levels deep`,
  aliases: (count) => `has ${count} aliases`,
  directives: (count) => `has ${count} directives`,
  cost: (cost) => `asks too much at once: it costs ${cost}`,
  texts: (count) => `asks for ${count} texts of posts`,
  files: (pictures) => `asks for the files of ${pictures} pictures`,
  schema: (fields) => `asks too much of the schema at once: about ${fields} fields`,
} satisfies Record<keyof typeof OPERATION_LIMITS, (requested: number) => string>;

/** @throws GraphQLError BAD_USER_INPUT with the figure and the limit */
export function refuseBeyondLimits(stats: Partial<Record<keyof typeof OPERATION_LIMITS, number>>): void {
  for (const [name, say] of Object.entries(sentences) as [
    keyof typeof OPERATION_LIMITS,
    (n: number) => string,
  ][]) {
    const limit = OPERATION_LIMITS[name];
    const requested = countable(stats[name] ?? 0);
    if (requested <= limit) continue;
    throw new GraphQLError(`this operation ${say(requested)}, and the limit is ${limit}`, {
      extensions: { code: "BAD_USER_INPUT", [name]: { requested, limit }, http: { status: 400 } },
    });
  }
}

/** Called before parsing: validation takes errors times lines. @throws GraphQLError BAD_USER_INPUT */
export function refuseLongDocument(source: string): void {
  refuseBeyondLimits({ bytes: Buffer.byteLength(source) });
  refuseBeyondLimits({ lines: (source.match(/\r\n|[\n\r]/g)?.length ?? 0) + 1 });
}

/** Keys of one object and elements of one list in the variables; our largest inputs have 8 and 100. */
const [MAX_KEYS, MAX_ELEMENTS] = [20, 200];

/** graphql-js repeats the whole object in the error of each unknown key, and coerces each element. */
export function areVariablesTooLarge(variables: unknown): boolean {
  const left: unknown[] = [variables];
  while (left.length > 0) {
    const value = left.pop();
    if (!isJson(value)) continue;
    const values = Object.values(value);
    // GraphQL ignores unknown variables.
    if (values.length > (Array.isArray(value) ? MAX_ELEMENTS : MAX_KEYS) && value !== variables) return true;
    for (const each of values) if (typeof each === "object") left.push(each);
  }
  return false;
}

/** An array or object of JSON; an uploaded file is neither. */
const isJson = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === "object" &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value)));

/** @throws GraphQLError BAD_USER_INPUT */
export function refuseLargeVariables(variables: unknown): void {
  if (areVariablesTooLarge(variables))
    throw new GraphQLError(
      `an object in the variables has more than ${MAX_KEYS} fields, or a list more than ${MAX_ELEMENTS} elements`,
      {
        extensions: { code: "BAD_USER_INPUT", http: { status: 400 } },
      },
    );
}

export const isWithinLimits = (stats: OperationStats) =>
  (Object.keys(stats) as (keyof OperationStats)[]).every((name) => stats[name] <= OPERATION_LIMITS[name]);

/** Nested fragments can exceed the range of JSON numbers. */
const countable = (figure: number) => Math.min(Math.ceil(figure), Number.MAX_SAFE_INTEGER);

export const costOf = ({ cost }: OperationStats) => ({
  requested: countable(cost),
  limit: OPERATION_LIMITS.cost,
});

/** The header is for tools that cannot send `extensions: { cost: true }`. */
export const isCostRequested = (extensions: GraphQLRequest["extensions"], header: unknown) =>
  extensions?.["cost"] === true || Boolean(header);

import { unwrapResolverError } from "@apollo/server/errors";
import type { FastifyBaseLogger } from "fastify";
import type { GraphQLError, GraphQLFormattedError } from "graphql";
import { BlogError, toBlogError } from "../../errors.ts";

/** What was no fault of a resolver: syntax, validation, the transport. Apollo has worded and coded these. */
const isApollos = (error: unknown): boolean =>
  unwrapResolverError(error) === error && !(error instanceof BlogError);

/** What Apollo says in one word, said so that one knows what to do. */
const ownWords: Record<string, string> = {
  PERSISTED_QUERY_NOT_FOUND:
    "no document is known here by this hash: send it whole as `query`, unless only known documents are run here",
};

/** Some messages of graphql-js repeat a whole value. */
const MAX_MESSAGE = 1_000;

/** Neither the validation nor the variables may guess what exists. */
function withoutGuess(message: string): string {
  const guess = message.endsWith("?") ? message.indexOf(" Did you mean ") : -1;
  return message.slice(0, guess < 0 ? MAX_MESSAGE : Math.min(guess, MAX_MESSAGE));
}

/** The boundary: one error of the domain becomes one GraphQL error with the very message REST sends. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  if (isApollos(error)) {
    const { stacktrace: _, ...extensions } = formatted.extensions ?? {};
    const message = ownWords[String(extensions["code"])] ?? withoutGuess(formatted.message);
    return { ...formatted, message, extensions };
  }
  const { code, message, fields, retryAfter } = toBlogError(unwrapResolverError(error));
  return {
    message,
    ...(formatted.path && { path: formatted.path }),
    ...(formatted.locations && { locations: formatted.locations }),
    extensions: { code, ...(fields && { fields }), ...(retryAfter && { retryAfter }) },
  };
}

/** Of graphql-js or of graphql-jit. */
type FieldError = Omit<GraphQLError, "extensions"> & { extensions?: Record<string, unknown> };

/**
 * Errors of fields, for whoever runs an operation without Apollo. Faults of ours are logged whole; the caller
 * gets the number under which they stand in the log.
 */
export const describeErrors = (errors: readonly FieldError[], log: FastifyBaseLogger, requestId?: string) =>
  errors.map((error) => {
    const extensions = { ...error.extensions, code: error.extensions?.["code"] ?? FAULT };
    const { message, locations, path } = error;
    const described = formatError({ message, locations, path, extensions }, error);
    if (described.extensions?.["code"] !== FAULT) return described;
    log.error({ err: error.originalError ?? error, reqId: requestId }, "a resolver failed");
    return { ...described, extensions: { ...described.extensions, ...(requestId && { requestId }) } };
  });

const FAULT = "INTERNAL_SERVER_ERROR";

/** For queries that answer null where there is nothing. */
export async function nullIfMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof BlogError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

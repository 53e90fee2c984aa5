import { unwrapResolverError } from "@apollo/server/errors";
import type { FastifyBaseLogger } from "fastify";
import { GraphQLError, type ExecutionResult, type GraphQLFormattedError } from "graphql";
import { BlogError, statusOf, toBlogError } from "../../errors.ts";

/** Errors of syntax, validation and transport, to which Apollo has given message and code. */
const isApollos = (error: unknown): boolean =>
  unwrapResolverError(error) === error && !(error instanceof BlogError);

/** Some messages of graphql-js repeat a whole value. */
const MAX_MESSAGE = 1_000;

/** Suggestions would reveal names of the schema. */
function withoutGuess(message: string): string {
  const guess = message.endsWith("?") ? message.indexOf(" Did you mean ") : -1;
  return message.slice(0, guess < 0 ? MAX_MESSAGE : Math.min(guess, MAX_MESSAGE));
}

/** Converts an error of the domain; REST sends the same message. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  if (isApollos(error)) {
    const { stacktrace: _, ...extensions } = formatted.extensions ?? {};
    return { ...formatted, message: withoutGuess(formatted.message), extensions };
  }
  const { code, message, fields, retryAfter, current } = toBlogError(unwrapResolverError(error));
  return {
    message,
    ...(formatted.path && { path: formatted.path }),
    ...(formatted.locations && { locations: formatted.locations }),
    extensions: {
      code,
      ...(fields && { fields }),
      ...(retryAfter && { retryAfter }),
      ...(current && { current }),
    },
  };
}

export const requestError = ({ message, code, retryAfter }: BlogError): GraphQLError =>
  new GraphQLError(message, { extensions: { code, retryAfter, http: { status: statusOf[code] } } });

/** graphql-jit's errors may have no extensions. */
export type FieldError = Omit<GraphQLError, "extensions"> & { extensions?: Record<string, unknown> };

export type OperationResult = Pick<ExecutionResult, "data"> & { errors?: readonly FieldError[] | undefined };

/** Formats the errors of an operation. Internal errors are logged, and the response carries only their request id. */
export const describeErrors = (errors: readonly FieldError[], log: FastifyBaseLogger, requestId?: string) =>
  errors.map((error) => {
    const { message, locations, path } = error;
    // `http` is Apollo's: the status of the response.
    const { http: _, ...others } = error.extensions ?? {};
    const extensions = { ...others, code: others["code"] ?? codeOf(error) };
    const described = formatError({ message, locations, path, extensions }, error);
    if (described.extensions?.["code"] !== FAULT) return described;
    log.error({ err: error.originalError ?? error, reqId: requestId }, "a resolver failed");
    return { ...described, extensions: { ...described.extensions, ...(requestId && { requestId }) } };
  });

const FAULT = "INTERNAL_SERVER_ERROR";

/** graphql-js gives no code to some errors that it finds before execution: too many invalid values, or a subscription. */
const codeOf = ({ name, path, originalError }: FieldError) =>
  name === "GraphQLError" && !path && !originalError ? "BAD_USER_INPUT" : FAULT;

export async function nullIfMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof BlogError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

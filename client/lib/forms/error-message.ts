import { CombinedGraphQLErrors, ServerError, ServerParseError } from "@apollo/client";

/** An error whose message is for the user. */
export class ShownError extends Error {}

export function messageOf(error: unknown): string {
  if (error instanceof ShownError) return error.message;
  if (CombinedGraphQLErrors.is(error)) return error.errors[0]?.message ?? error.message;
  const status = ServerError.is(error) || ServerParseError.is(error) ? error.statusCode : 0;
  return ofProxies.get(status) ?? "The server cannot be reached, please check your connection and try again";
}

/** Messages for errors that a reverse proxy sends by itself, as HTML that the user never sees. */
const ofProxies = new Map([
  [413, "The file is too large for this site, please choose a smaller one"],
  [502, "The site is not available at the moment, please try again in a minute"],
  [503, "The site is not available at the moment, please try again in a minute"],
  [504, "The site took too long to answer, please try again in a minute"],
]);

/** Whether the server requires the current password for this operation. */
export const requiresPassword = (error: unknown): boolean =>
  CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.["code"] === "REAUTHENTICATION_REQUIRED";

/**
 * Returns the server's validation errors by field; empty if the error concerns no field.
 * @param unique the field that a conflict concerns
 */
export function fieldErrorsOf(error: unknown, unique?: string): Record<string, string> {
  const { message = "", extensions } = (CombinedGraphQLErrors.is(error) && error.errors[0]) || {};
  if (unique && extensions?.["code"] === "CONFLICT") return { [unique]: message };
  const fields = extensions?.["fields"];
  return typeof fields === "object" && fields !== null ? (fields as Record<string, string>) : {};
}

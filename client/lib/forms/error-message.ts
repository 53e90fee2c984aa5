import { CombinedGraphQLErrors, ServerError, ServerParseError } from "@apollo/client";

/** The message for a person: the server's where there is one. */
export function messageOf(error: unknown): string {
  if (CombinedGraphQLErrors.is(error)) return error.errors[0]?.message ?? error.message;
  const status = ServerError.is(error) || ServerParseError.is(error) ? error.statusCode : 0;
  return ofProxies.get(status) ?? "The server cannot be reached, please check your connection and try again";
}

/** What a proxy in front of the server answers by itself, as a page of its own that nobody sees. */
const ofProxies = new Map([
  [413, "The file is too large for this site, please choose a smaller one"],
  [502, "The site is not available at the moment, please try again in a minute"],
  [503, "The site is not available at the moment, please try again in a minute"],
  [504, "The site took too long to answer, please try again in a minute"],
]);

/** Whether the server wants the current password before it does this. */
export const wantsPassword = (error: unknown): boolean =>
  CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.["code"] === "REAUTHENTICATION_REQUIRED";

/** What the server refused, by field; empty where the refusal is of no field. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const fields = CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.["fields"] : undefined;
  return typeof fields === "object" && fields !== null ? (fields as Record<string, string>) : {};
}

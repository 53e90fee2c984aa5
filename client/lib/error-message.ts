import { CombinedGraphQLErrors } from "@apollo/client";

/** The message for a person: the server's where there is one. */
export function messageOf(error: unknown): string {
  if (CombinedGraphQLErrors.is(error)) return error.errors[0]?.message ?? error.message;
  return "The server cannot be reached, please check your connection and try again";
}

/** Whether the server wants the current password before it does this. */
export const wantsPassword = (error: unknown): boolean =>
  CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.["code"] === "REAUTHENTICATION_REQUIRED";

/** What the server refused, by field; empty where the refusal is of no field. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const fields = CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.["fields"] : undefined;
  return typeof fields === "object" && fields !== null ? (fields as Record<string, string>) : {};
}

import { CombinedGraphQLErrors } from "@apollo/client";

/** The message for a person: the server's where there is one. */
export function messageOf(error: unknown): string {
  if (CombinedGraphQLErrors.is(error)) return error.errors[0]?.message ?? error.message;
  return "The server cannot be reached, please check your connection and try again";
}

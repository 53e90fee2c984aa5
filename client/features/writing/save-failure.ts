import { CombinedGraphQLErrors, ServerError, ServerParseError } from "@apollo/client";
import { messageOf } from "../../lib/forms/error-message.ts";
import type { SavedDraft } from "./content.ts";

export type SaveFailure =
  | { kind: "conflict"; theirs: SavedDraft }
  /** The draft was deleted or published elsewhere. */
  | { kind: "gone" }
  | { kind: "offline" }
  | { kind: "refused"; message: string };

export function failureOf(error: unknown): SaveFailure {
  if (CombinedGraphQLErrors.is(error)) {
    const { code, current } = error.errors[0]?.extensions ?? {};
    if (code === "CONFLICT" && current) return { kind: "conflict", theirs: current as SavedDraft };
    return code === "CONFLICT" || code === "NOT_FOUND"
      ? { kind: "gone" }
      : { kind: "refused", message: messageOf(error) };
  }
  const isAnswered = ServerError.is(error) || ServerParseError.is(error);
  return isAnswered ? { kind: "refused", message: messageOf(error) } : { kind: "offline" };
}

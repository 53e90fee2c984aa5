import { CombinedGraphQLErrors } from "@apollo/client";
import { toast } from "../toast.ts";
import { messageOf } from "./error-message.ts";

/** Shows the server's message in a toast, unless another message shows it already, as for an ended session. */
export function reportError(error: unknown): void {
  if (!isReported(error)) toast.error(messageOf(error));
}

const isReported = (error: unknown) =>
  CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.["isReported"] === true;

import type { DocumentNode } from "graphql";
import type { OperationResponse } from "./send-operation.ts";

const KEY = "explorer-token";

let token = stored(KEY);

/** Stored in localStorage; without storage the token lives as long as the page. */
export const readToken = (): string => token;

export function writeToken(next: string): void {
  token = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {}
}

/** The token of a sign-in. Any query may call a field `login`, and its text would sign the visitor in as its author. */
export function tokenOf(
  { data }: OperationResponse,
  document: DocumentNode | undefined,
  name?: string | null,
): string | undefined {
  const isSignIn = document?.definitions.some(
    (definition) =>
      definition.kind === "OperationDefinition" &&
      definition.operation === "mutation" &&
      (!name || definition.name?.value === name) &&
      definition.selectionSet.selections.some(
        (field) => field.kind === "Field" && field.name.value === "login" && !field.alias,
      ),
  );
  return isSignIn ? ((data?.["login"] ?? {}) as { token?: string }).token : undefined;
}

/** The token of the site's own sign-in, which this page uses only on request. */
export function readSiteToken(): string {
  try {
    const session = JSON.parse(stored("userInfo")) as { token?: unknown } | null;
    return typeof session?.token === "string" ? session.token : "";
  } catch {
    return "";
  }
}

function stored(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

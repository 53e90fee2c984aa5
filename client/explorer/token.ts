const KEY = "explorer-token";

let token = stored();

/** The token stays in this browser; one without storage forgets it with the page. */
export const readToken = (): string => token;

export function writeToken(next: string): void {
  token = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Kept in the page alone.
  }
}

function stored(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

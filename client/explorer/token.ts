const KEY = "explorer-token";

let token = stored();

/** Stored in localStorage; without storage the token lives as long as the page. */
export const readToken = (): string => token;

export function writeToken(next: string): void {
  token = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage the token lives in memory.
  }
}

function stored(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

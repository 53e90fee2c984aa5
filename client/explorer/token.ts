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

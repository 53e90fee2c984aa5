import type { ApolloClient } from "@apollo/client";
import { useSyncExternalStore } from "react";
import type { LoginMutation } from "../../generated/graphql.ts";
import { createStored } from "../../lib/local-storage-store.ts";

/** REST's UserSession, whichever API signed in: what localStorage holds under `userInfo`. */
export type Session = {
  _id: string;
  username: string;
  email: string;
  isAdmin: boolean;
  profilePhoto: { url: string };
  token: string;
};

const stored = createStored<Session>("userInfo", acceptSession);

/** Other programs write this item too: what a page cannot be drawn without is completed, or nobody is signed in. */
function acceptSession(value: unknown): Session | null {
  const session = (value ?? {}) as Partial<Record<keyof Session, unknown>>;
  const { _id, username, token, email, profilePhoto } = session;
  if (typeof _id !== "string" || typeof username !== "string" || typeof token !== "string") return null;
  const { url } = (profilePhoto ?? {}) as { url?: unknown };
  return {
    ...(session as Session),
    email: typeof email === "string" ? email : "",
    profilePhoto: { ...(profilePhoto as object), url: typeof url === "string" ? url : "/default-photo.png" },
  };
}

/** Whether the session here ended by itself, until the next begins. */
let isExpired = false;

export const readSession = stored.read;
export const hasExpired = (): boolean => isExpired;

export function startSession({ token, viewer }: LoginMutation["login"]): void {
  const { id, username, email, isAdmin, profilePhoto } = viewer;
  isExpired = false;
  stored.write({ _id: id, username, email, isAdmin, profilePhoto: { url: profilePhoto.url }, token });
  forgetDraftsOfOthers(id);
}

/** By the account's own wish: nothing of it stays in this browser. */
export function endSession(): void {
  isExpired = false;
  stored.write(null);
  forgetDraftsOfOthers(null);
}

/** The server no longer knows the token. What was being written waits for its writer to be back. */
export function expireSession(): void {
  isExpired = true;
  stored.write(null);
}

const forgetDraftsOfOthers = (owner: string | null) =>
  void import("../../lib/drafts/forget-drafts.ts")
    .then((drafts) => drafts.forgetDraftsOfOthers(owner))
    .catch(() => undefined);

function change(part: Partial<Session>): void {
  const session = stored.read();
  if (session) stored.write({ ...session, ...part });
}

export const setUsername = (username: string): void => change({ username });
export const setUserPhoto = (url: string): void => change({ profilePhoto: { url } });

/** Who is signed in in this browser; null on the server and until its HTML has come alive. */
export const useSession = (): Session | null =>
  useSyncExternalStore(stored.subscribe, stored.read, () => null);

/**
 * Keeps in step with the session, in whichever tab it began or ended: the style sheets, and the answers,
 * because what one account saw is not for the next.
 */
export function watchSession(client: ApolloClient): void {
  let known = stored.read()?.token;
  stored.subscribe(() => {
    const token = stored.read()?.token;
    document.documentElement.dataset["session"] = token ? "user" : "visitor";
    if (token !== known) client.resetStore().catch(() => undefined);
    known = token;
  });
}

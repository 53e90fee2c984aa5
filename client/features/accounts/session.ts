import type { ApolloClient } from "@apollo/client";
import { useSyncExternalStore } from "react";
import type { LoginMutation } from "../../generated/forms/graphql.ts";
import { deletePages } from "../../lib/offline/page-copies.ts";
import { beginDeletion, readDeletion } from "../../lib/drafts/deletion.ts";
import { createStored } from "../../lib/local-storage-store.ts";

/** The value of `userInfo` in localStorage: REST's UserSession, whichever API signed in. */
export type Session = {
  _id: string;
  username: string;
  email: string;
  isAdmin: boolean;
  profilePhoto: { url: string };
  token: string;
};

const stored = createStored<Session>("userInfo", acceptSession);

/** Of the explorer's own sign-in, which may be another account's: a login ends it as well. */
const explorerToken = createStored<never>("explorer-token");

/** Validates the stored item, which other programs may write: fills optional fields, or returns null. */
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

/** Whether the last session expired, for all tabs; reset by login and logout. */
const expired = createStored<boolean>("session-expired");

export const readSession = stored.read;
export const hasExpired = (): boolean => expired.read() === true;

export function startSession({ token, viewer }: LoginMutation["login"]): void {
  const { id, username, email, isAdmin, profilePhoto } = viewer;
  expired.write(null);
  explorerToken.write(null);
  stored.write({ _id: id, username, email, isAdmin, profilePhoto: { url: profilePhoto.url }, token });
  deleteDraftsOfOthers(id);
}

/** Logs out at the user's request and deletes the account's drafts and the explorer's operations from this browser. */
export function endSession(): void {
  expired.write(null);
  stored.write(null);
  explorerToken.write(null);
  deleteDraftsOfOthers(null);
}

/** Ends the session after the server rejected its token. Drafts stay, for the next login of the same account. */
export function expireSession(): void {
  expired.write(true);
  stored.write(null);
}

function deleteDraftsOfOthers(owner: string | null): void {
  beginDeletion(owner);
  finishDeletion();
}

const finishDeletion = () =>
  void import("../../lib/drafts/delete-drafts.ts")
    .then((drafts) => drafts.finishDeletion())
    .catch(() => undefined);

function change(part: Partial<Session>): void {
  const session = stored.read();
  if (session) stored.write({ ...session, ...part });
}

export const setUsername = (username: string): void => change({ username });
export const setUserPhoto = (url: string): void => change({ profilePhoto: { url } });

/** Returns null on the server and during hydration. */
export const useSession = (): Session | null =>
  useSyncExternalStore(stored.subscribe, stored.read, () => null);

/**
 * Follows session changes of all tabs. Updates `data-session` for the style sheets. When the account changes, it resets
 * the cache and deletes the pages stored for offline reading: the next account must not see what this one has read.
 * Finishes a deletion of drafts' pictures that the tab's last page has begun.
 */
export function watchSession(client: ApolloClient): void {
  if (readDeletion()) finishDeletion();
  let previousToken = stored.read()?.token;
  stored.subscribe(() => {
    const token = stored.read()?.token;
    document.documentElement.dataset["session"] = token ? "user" : "visitor";
    if (token !== previousToken) {
      client.resetStore().catch(() => undefined);
      deletePages().catch(() => undefined);
    }
    previousToken = token;
  });
}

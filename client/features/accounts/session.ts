import type { ApolloClient } from "@apollo/client";
import { useSyncExternalStore } from "react";
import type { LoginMutation } from "../../generated/graphql.ts";
import { createStored } from "../../lib/stored.ts";

/** REST's UserSession, whichever API signed in: what localStorage holds under `userInfo`. */
export type Session = {
  _id: string;
  username: string;
  email: string;
  isAdmin: boolean;
  profilePhoto: { url: string };
  token: string;
};

const stored = createStored<Session>("userInfo");

export const readSession = stored.read;

export function startSession({ token, viewer }: LoginMutation["login"]): void {
  const { id, username, email, isAdmin, profilePhoto } = viewer;
  stored.write({ _id: id, username, email, isAdmin, profilePhoto: { url: profilePhoto.url }, token });
}

export function endSession(): void {
  stored.write(null);
}

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

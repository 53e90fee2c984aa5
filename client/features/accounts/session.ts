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
  document.documentElement.dataset["session"] = "user";
}

export function endSession(): void {
  stored.write(null);
  document.documentElement.dataset["session"] = "visitor";
}

/** Who is signed in in this browser; null on the server and until its HTML has come alive. */
export const useSession = (): Session | null =>
  useSyncExternalStore(stored.subscribe, stored.read, () => null);

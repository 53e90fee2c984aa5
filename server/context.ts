import type { Db } from "./data/client.ts";
import type { MediaStore } from "./media/store.ts";

/** The account behind a request. */
export type Viewer = { id: string; isAdmin: boolean; sessionId: string };

/**
 * Everything a domain function may use. A transport makes one per request.
 * `session` says why there is no viewer: nobody signed in, or a token that no longer counts.
 */
export type Ctx = {
  db: Db;
  media: MediaStore;
  viewer: Viewer | null;
  session: "none" | "active" | "ended";
  now: () => Date;
};

/** What all requests share. */
export type Parts = Pick<Ctx, "db" | "media" | "now">;

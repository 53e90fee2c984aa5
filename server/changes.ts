/**
 * What a write touched: `post:ID` for a post, its likes and comments; `user:ID` for an account's public face;
 * `posts` for which posts there are, and where; `categories`; `*` for anything.
 */
export type Tag = `post:${string}` | `user:${string}` | "posts" | "categories" | "*";

export type Changes = {
  /** Tells this process of a write of its own, before anybody is answered; the database tells the others. */
  tell: (tags: readonly Tag[]) => void;
  /** Calls back for each write of any process. */
  onChange: (listener: (tags: readonly Tag[]) => void) => void;
  /** False while writes of others cannot be heard of: nothing may be kept then. */
  isListening: () => boolean;
  close: () => Promise<void>;
};

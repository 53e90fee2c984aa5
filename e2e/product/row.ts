import type { Page } from "playwright-core";
import type { Account } from "../testing/people.ts";

/** `author` and `other` are there for all rows, a `newcomer` for one: who changes an account is one. */
export type Who = "visitor" | "author" | "other" | "newcomer" | "admin";

export type Scene = {
  page: Page;
  /** The account signed in on the page; for a visitor the author of the content. */
  me: Account;
  author: Account;
  admin: Account;
  /** A post by the author, with a comment of theirs. */
  post: { _id: string; title: string; commentId: string };
};

/** One promise of the specification: its words, who is looking, and what they do and find. */
export type Row = { section: number; quote: string; who: Who; act: (scene: Scene) => Promise<void> };

export const section = (number: number, rows: [Row["quote"], Who, Row["act"]][]): Row[] =>
  rows.map(([quote, who, act]) => ({ section: number, quote, who, act }));

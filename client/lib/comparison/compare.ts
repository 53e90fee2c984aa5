import { diffWords, type Part } from "./word-diff.ts";

type Version = { title: string; category: string; description: string };

/** `category` is null where it is the same. */
export type Comparison = { title: Part[]; category: Part[] | null; text: Part[] };

export const compare = (older: Version, newer: Version): Comparison => ({
  title: diffWords(older.title, newer.title),
  category: older.category === newer.category ? null : diffWords(older.category, newer.category),
  text: diffWords(older.description, newer.description),
});

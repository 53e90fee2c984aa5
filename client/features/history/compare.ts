import { countWords, diffWords, type Part } from "./word-diff.ts";

type Version = { title: string; category: string; description: string };

/** `category` is null where it is the same. */
export type Comparison = { title: Part[]; category: Part[] | null; text: Part[] };

export const compare = (older: Version, newer: Version): Comparison => ({
  title: diffWords(older.title, newer.title),
  category: older.category === newer.category ? null : diffWords(older.category, newer.category),
  text: diffWords(older.description, newer.description),
});

export function describe({ title, category, text }: Comparison): string {
  const parts = [...title, ...(category ?? []), ...text];
  if (parts.every(({ kind }) => kind === "same")) return "The same as the present version.";
  const [removed, added] = [countWords(parts, "removed"), countWords(parts, "added")];
  const verb = removed === 1 ? "was" : "were";
  return `Since then ${wordsOf(removed)} ${verb} removed (struck through) and ${wordsOf(added)} added (underlined).`;
}

const wordsOf = (count: number) => (count === 1 ? "1 word" : `${count.toLocaleString("en")} words`);

import { countWords } from "../../lib/comparison/word-diff.ts";
import type { Comparison } from "../../lib/comparison/compare.ts";

export function describeComparison({ title, category, text }: Comparison): string {
  const parts = [...title, ...(category ?? []), ...text];
  if (parts.every(({ kind }) => kind === "same")) return "The same as the present version.";
  const [removed, added] = [countWords(parts, "removed"), countWords(parts, "added")];
  const verb = removed === 1 ? "was" : "were";
  return `Since then ${wordsOf(removed)} ${verb} removed (struck through) and ${wordsOf(added)} added (underlined).`;
}

const wordsOf = (count: number) => (count === 1 ? "1 word" : `${count.toLocaleString("en")} words`);

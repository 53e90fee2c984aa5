import { diffArrays } from "diff";

export type Part = { kind: "same" | "removed" | "added"; text: string };

/** Texts that have little in common take quadratic time; then whole lines are compared, and then whole texts. */
const TIMEOUTS = { words: 400, lines: 400 };

/** Words, white space, and every other character alone; scripts without spaces count by character. */
const TOKENS =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]|[\p{L}\p{N}\p{M}]+|\s+|[^]/gu;
// eslint-disable-next-line regexp/no-super-linear-move -- the second alternative matches where the first does not
const LINES = /[^\n]*\n|[^\n]+/g;

/** The removals and additions that turn the older text into the newer one, in reading order. */
export function diffWords(older: string, newer: string, { words, lines } = TIMEOUTS): Part[] {
  for (const [token, timeout] of [
    [TOKENS, words],
    [LINES, lines],
  ] as const) {
    const changes = diffArrays(older.match(token) ?? [], newer.match(token) ?? [], { timeout });
    if (changes)
      return joinAcrossSpaces(
        changes.map(({ added, removed, value }) => ({
          kind: added ? "added" : removed ? "removed" : "same",
          text: value.join(""),
        })),
      );
  }
  return [
    { kind: "removed", text: older },
    { kind: "added", text: newer },
  ];
}

/** Joins replaced words with only a space between them: one replaced phrase reads better than word by word. */
function joinAcrossSpaces(parts: Part[]): Part[] {
  const joined: Part[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed) joined.push({ kind: "removed", text: removed });
    if (added) joined.push({ kind: "added", text: added });
    [removed, added] = ["", ""];
  };
  parts.forEach(({ kind, text }, index) => {
    const isReplaced = removed !== "" && added !== "" && index < parts.length - 1;
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else if (isReplaced && /^[^\S\n]+$/.test(text)) [removed, added] = [removed + text, added + text];
    else {
      flush();
      joined.push({ kind, text });
    }
  });
  flush();
  return joined;
}

const CONTEXT = 200;
export const OMISSION = " … ";

/** Leaves of long unchanged passages only what is next to a change. */
export const shorten = (parts: Part[]): Part[] =>
  parts.map(({ kind, text }, index) => {
    const head = index > 0 ? CONTEXT : 0;
    const tail = index < parts.length - 1 ? CONTEXT : 0;
    if (kind !== "same" || text.length <= 2 * CONTEXT + head + tail) return { kind, text };
    return {
      kind,
      text:
        // eslint-disable-next-line regexp/no-super-linear-move -- 200 characters
        text.slice(0, head).replace(/\S*$/, "") +
        OMISSION +
        text.slice(-tail || text.length).replace(/^\S*/, ""),
    };
  });

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

export const countWords = (parts: Part[], kind: Part["kind"]): number =>
  parts.reduce((sum, part) => sum + (part.kind === kind ? (part.text.match(WORD)?.length ?? 0) : 0), 0);

/** Word separators, as in the database function "searchText". */
const MARKS = /[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f\s]+/u;

const letters: Record<string, string> = {
  ...{
    ø: "o",
    Ø: "O",
    ł: "l",
    Ł: "L",
    đ: "d",
    Đ: "D",
    ð: "d",
    Ð: "D",
    ı: "i",
    ħ: "h",
    Ħ: "H",
    ŧ: "t",
    Ŧ: "T",
  },
  ...{ ß: "ss", æ: "ae", Æ: "AE", œ: "oe" },
};

/** Removes accents as the database function "searchText" does. Case is left to the database, whose locale decides it. */
const foldText = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFKC")
    .replace(/[øØłŁđĐðÐıħĦŧŦßæÆœ]/g, (letter) => letters[letter] ?? letter);

const foldedLetters = new Map<number, string>();
/** By code point: 1 for letters that are known to stay. */
const stays = new Uint8Array(0x11_0000);

/** A letter of the form NFD as `foldText` and a comparison without case make it: up to three, or none for an accent. @returns null if it stays */
export function foldLetter(code: number): string | null {
  if (stays[code] === 1) return null;
  const known = foldedLetters.get(code);
  if (known !== undefined) return known;
  const letter = String.fromCodePoint(code);
  const isAccent = letter >= "\u0300" && letter <= "\u036f";
  const folded = isAccent ? "" : (letters[letter] ?? letter).toUpperCase().toLowerCase().replaceAll("ς", "σ");
  if (folded === letter) {
    stays[code] = 1;
    return null;
  }
  foldedLetters.set(code, folded);
  return folded;
}

/** Scripts without spaces between words, as in the database function "isUnspaced". */
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;

export const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/** Limited pieces, since the time to segment a run grows faster than its length. */
const UNSPACED_RUNS = new RegExp(`${UNSPACED.source}{1,1000}`, "gu");

// ICU cuts all of these scripts by dictionaries, whatever the locale.
const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

const cut = (run: string): string[] =>
  Array.from(segmenter.segment(run), ({ segment, isWordLike }) => (isWordLike ? segment : "")).filter(
    Boolean,
  );

/** Puts spaces around the words of languages that have none. @returns its parts, each of which takes some milliseconds at most */
export function* spacedParts(text: string): Generator<string> {
  if (!isUnspaced(text)) return yield text;
  const normal = text.normalize("NFKC");
  let end = 0;
  for (const { 0: run, index } of normal.matchAll(UNSPACED_RUNS)) {
    yield `${normal.slice(end, index)} ${cut(run).join(" ")} `;
    end = index + run.length;
  }
  yield normal.slice(end);
}

const spaceWords = (text: string): string => [...spacedParts(text)].join("");

export const wordsOf = (text: string): string[] => spaceWords(foldText(text)).split(MARKS).filter(Boolean);

import { confusables } from "./confusables-table.ts";

/*
 * New names follow the PRECIS Nickname profile (RFC 8266, over the FreeformClass of RFC 8264) plus the emoji that
 * Unicode recommends (RGI). Names that look alike (UTS #39) collide.
 * The expressions are built from strings: TypeScript allows the "v" flag in literals only from ES2024 on.
 */

const v = (source: TemplateStringsArray) => new RegExp(source.raw.join(""), "v");

/** Collapses spaces of any kind to one plain space and trims the ends. */
export const collapseSpaces = (name: string) => name.replace(/\p{Zs}+/gu, " ").replace(/^ | $/g, "");

const emoji = new RegExp(String.raw`\p{RGI_Emoji}`, "gv");

/**
 * Letters, marks, digits, symbols, punctuation and the space. Excludes invisible characters, blank symbols and
 * the exceptions of RFC 8264: conjoining jamo, line fillers, vertical repetition marks.
 */
const printable = v`^[[\p{L}\p{M}\p{N}\p{P}\p{S} \u200C\u200D]--[[\p{Default_Ignorable_Code_Point}--[\u200C\u200D]]\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FB\u0640\u07FA\u302E\u302F\u3031-\u3035\u303B\u2800\uFFFC\uFFFD\u{1D159}\u{13441}\u{13442}\u{16FE4}]]+$`;

/** A leading combining mark would attach to the text before the name. */
const beginsWithMark = /^\p{M}/u;

/** Letters with Joining_Type D in the living cursive scripts. */
const joinsNext = String.raw`[\u0620\u0626\u0628\u062A-\u062E\u0633-\u063F\u0641-\u0647\u0649\u064A\u066E\u066F\u0678-\u0687\u069A-\u06BF\u06C1\u06C2\u06CC\u06CE\u06D0\u06D1\u06FA-\u06FC\u06FF\u0712-\u0714\u071A-\u071D\u071F-\u0727\u0729\u072B\u072D\u072E\u074E-\u0758\u075C-\u076A\u076D-\u0770\u0772\u0775-\u0777\u077A-\u077F\u07CA-\u07EA\u08A0-\u08A9\u08AF\u08B0\u08B3-\u08B8\u08BA-\u08C8\u1820-\u1878\u{10D00}-\u{10D21}\u{1E900}-\u{1E943}]`;
const joinedScript = String.raw`[[\p{L}&&[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Hanifi_Rohingya}\p{Script=Adlam}]]--[\u0621\u0674]]`;
/** Combining class 9. */
const virama = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u0E3A\u0EBA\u0F84\u1039\u103A\u1714\u1715\u1734\u17D2\u1A60\u1B44\u1BAA\u1BAB\u1BF2\u1BF3\u2D7F\uA806\uA82C\uA8C4\uA953\uA9C0\uAAF6\uABED\u{11046}\u{1107F}\u{110B9}\u{11133}\u{11134}\u{111C0}\u{11235}\u{1134D}\u{11442}\u{114C2}\u{115BF}\u{1163F}\u{116B6}\u{1172B}]`;

/** Forbidden contexts of the characters that RFC 5892, appendix A, allows only in some contexts. */
const misplaced: readonly RegExp[] = [
  // Joiners need a virama before and a letter after; the non-joiner may also stand between joined letters.
  v`[\u200C\u200D](?!\p{M}*\p{L})`,
  new RegExp(String.raw`(?<!${virama})\u200D`, "v"),
  new RegExp(
    // eslint-disable-next-line regexp/no-super-linear-move -- a name has 100 characters
    String.raw`(?<!${virama}|${joinsNext}\p{Mn}*)\u200C|(?<!${virama})\u200C(?!\p{Mn}*${joinedScript})`,
    "v",
  ),
  // The middle dot of Catalan, the Greek numeral sign, the Hebrew geresh and gershayim.
  /(?<!l)\u00B7|\u00B7(?!l)/u,
  v`\u0375(?!\p{Script=Greek})`,
  v`(?<!\p{Script=Hebrew})[\u05F3\u05F4]`,
  // The katakana middle dot without kana or Han.
  v`^(?=.*\u30FB)(?!.*[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}])`,
  // A combining dot replaces the dot of i or j, so the name looks like the one without it.
  new RegExp(String.raw`[\p{Soft_Dotted}\u0131\u0237]\p{M}*\u0307`, "v"),
  // Both sets of Arabic digits at once.
  v`^(?=.*[\u0660-\u0669])(?=.*[\u06F0-\u06F9])`,
];

/** Call it before trimming, or a newline at an end would pass. */
export function isPrintableName(name: string): boolean {
  // NFC: macOS may send decomposed Hangul. A plain symbol replaces each emoji with its joiners.
  const text = collapseSpaces(name).normalize("NFC").replace(emoji, "\u263A");
  return (
    printable.test(text) && !beginsWithMark.test(text) && !misplaced.some((pattern) => pattern.test(text))
  );
}

const readAs = new Map(
  confusables.flatMap(([read, like]) => Array.from(like, (char) => [char, read] as const)),
);

export const skeleton = (text: string) =>
  Array.from(
    text.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, ""),
    (char) => readAs.get(char) ?? char,
  )
    .join("")
    .normalize("NFD");

/**
 * The skeleton, ignoring case and width. It is recomputed after each step, since an upper-case letter can have other
 * lookalikes than its lower-case form. I, l, 1 and i are equal, because the Cyrillic capital І looks like each.
 */
const confusableSkeleton = (name: string) =>
  skeleton(skeleton(skeleton(collapseSpaces(name)).normalize("NFKC")).toLowerCase()).replaceAll("i", "l");

/** Whether a name has non-ASCII letters or symbols that look like letters, such as ℮, ⍺, ٥. */
export const hasNonAsciiLetters = (name: string) =>
  Array.from(name.normalize("NFC")).some(
    (char) => char > "\u007F" && (/\p{L}/u.test(char) || /^[0-9A-Za-z]/.test(readAs.get(char) ?? "")),
  );

/** The stored key of a name. The prefix marks names with (+) and without (-) non-ASCII letters. */
export const confusableKey = (name: string) =>
  (hasNonAsciiLetters(name) ? "+" : "-") + confusableSkeleton(name);

/** The stored keys that conflict with a name. Two ASCII names never conflict. */
export function confusableKeysAgainst(name: string): string[] {
  const key = confusableSkeleton(name);
  return hasNonAsciiLetters(name) ? [`+${key}`, `-${key}`] : [`+${key}`];
}

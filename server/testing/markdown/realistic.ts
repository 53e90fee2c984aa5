import { full } from "./hostile.ts";

const fill = (make: (n: number) => string) => {
  let text = "";
  for (let n = 0; text.length < full; n++) text += make(n);
  return text.slice(0, full).toWellFormed();
};

/** Realistic articles of the maximum length: none may exceed a limit. */
const articles: Record<string, (n: number) => string> = {
  emphasis2000: (n) => `A *word* of it${n % 30 === 29 ? ".\n\n" : ", "}`,
  emphasisOneBlock: () => `A **word** of it is here, `,
  boldTable: (n) =>
    n ? `| **Name ${n}** | *value* | [x](http://a.b/${n}) |\n` : "| A | B | C |\n|:--|--:|:-:|\n",
  tightList: (n) => `- **Item ${n}** is [here](/a)\n`,
  shortList: (n) => `- item ${n}\n`,
  nested: (n) => `${"  ".repeat(n % 6)}- item with \`code\` ${n}\n`,
  quotes: (n) => `> "A quoted line number ${n}", *she* said.\n>\n> — J.\n\nText.\n\n`,
  longquote: (n) => `> A line of a quote ${n} with _some_ emphasis\n${n % 4 ? "" : ">\n"}`,
  snake: (n) => `    my_long_var_${n} = other_func_name(a_b, c_d) * 2\n`,
  fence: (n) => (n ? `  const a${n} = b[${n}] * c["x_y"]; /* n */ if (a || b) {}\n` : "```js\n"),
  chinese: (n) => `这是第${n}段，讲的是**重要**的事情和*别的*，参见[链接](https://a.example/${n})。\n\n`,
  poem: (n) => (n % 9 === 8 ? "\n" : "春眠不觉晓，\n"),
  poemEn: (n) => (n % 5 === 4 ? "\n" : "Soft rain falls  \n"),
  footnotes: (n) =>
    `A claim that ${n} has a note.[^${n}] More text about it here.\n\n[^${n}]: The source of ${n}, page ${n}.\n\n`,
  refs: (n) => `See [this ${n}][r${n}] and go.\n\n[r${n}]: https://a.example/${n} "t"\n\n`,
  headings: (n) => `## Section ${n}\n\nText of it, short.\n\n`,
  setext: (n) => `Section ${n}\n=======\n\nText of it, short and good, and some more of it, so.\n\n`,
  tasks: (n) => `- [${n % 2 ? "x" : " "}] do ${n}\n`,
  autolinks: (n) => `See https://www.example.com/a/${n} or me@a.example. `,
  arabic: (n) => `هذا هو النص رقم ${n} مع **كلمة** مهمة. `,
  emoji: (n) => `😀 *wow* 👩‍👩‍👧 ${n} `,
  html: (n) => `<p class="a">text <b>${n}</b></p>\n<!-- c -->\n${n % 9 ? "" : "\n"}`,
};

export const realisticTexts = Object.entries(articles).map(([name, make]) => ({ name, text: fill(make) }));

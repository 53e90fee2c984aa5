import type { Page } from "playwright-core";

const sentence =
  "The ferry leaves when the water is high enough, and nobody on the pier looks at a clock before it does. ";

/** A post with every kind of block. */
export const allElements = `${sentence.repeat(8)}A note.[^1] [An address](https://example.org/) and [the way there](#a-heading).

${sentence.repeat(3)}

> ${sentence}
>
> ${sentence}

- ${sentence}

  ${sentence}

- ${sentence}

1. One
2. Two

- [ ] open
- [x] done

## A heading

\`\`\`js
const line = "${"a long line of code ".repeat(8)}";
\`\`\`

| Name of the ship | Tonnes | Harbour |
| --- | ---: | --- |
| Donaudampfschifffahrtsgesellschaft | 1000 | Friedrichshafen |
| Unwahrscheinlichkeiten | 20 | Langenargen |

${sentence.repeat(2)}

[^1]: ${sentence}
`;

export const samples = [
  { name: "Arabic", text: "أهلاً بكم في المدونة، هذا نص من اليمين!", direction: "rtl" },
  { name: "Hebrew", text: "שלום לכולם, זה טקסט מימין לשמאל!", direction: "rtl" },
  { name: "Chinese", text: "汉字的历史与书写方法，逐字逐句，慢慢地读下去吧。", direction: "ltr" },
  { name: "a word of 200 letters", text: "Donaudampf".repeat(20), direction: "ltr" },
  { name: "emoji", text: "👩‍👩‍👧‍👦🏳️‍🌈🎉👍🏽".repeat(6), direction: "ltr" },
];

type Column = { text: string; characters: number };

/** The average length of the lines of each paragraph of three lines or more, without the last line. */
export const columnsOn = (page: Page): Promise<{ texts: Column[]; others: Column[] }> =>
  page.evaluate(() => {
    const measure = (paragraph: Element) => {
      const lines = new Map<number, number>();
      const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (let at = 0; at < (node.textContent?.length ?? 0); at++) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const { bottom } = range.getBoundingClientRect();
          const line = [...lines.keys()].find((each) => Math.abs(each - bottom) < 8) ?? bottom;
          lines.set(line, (lines.get(line) ?? 0) + 1);
        }
      const lengths = [...lines.values()].slice(0, -1);
      const characters = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
      return { text: paragraph.textContent?.slice(0, 30) ?? "", lines: lines.size, characters };
    };
    const all = [...document.querySelectorAll("main p")].map((paragraph) => ({
      ...measure(paragraph),
      // Columns of text; not notes, quotes and lists, which are indented.
      isText: paragraph.matches(".prose > p, .comment-item .text, .bio"),
    }));
    const long = all.filter(({ lines }) => lines >= 3);
    return { texts: long.filter(({ isText }) => isText), others: long.filter(({ isText }) => !isText) };
  });

type Shown = { location: string; direction: string; isAuto: boolean; isWhole: boolean };

/** Each place of `<main>` that shows the text. `isWhole`: nothing of it is cut off at the sides. */
export const scriptsOn = (page: Page, text: string): Promise<Shown[]> =>
  page.evaluate((sample) => {
    const shown: Shown[] = [];
    const walker = document.createTreeWalker(document.querySelector("main")!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || !node.textContent?.includes(sample) || element.closest("option, .visually-hidden"))
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const isInside = ({ left, right }: DOMRect) => left >= -1 && right <= innerWidth + 1;
      const clips = (each: Element) =>
        getComputedStyle(each).overflowX !== "visible" && each.scrollWidth > each.clientWidth + 1;
      const parents: Element[] = [];
      for (let each: Element | null = element; each && each.tagName !== "MAIN"; each = each.parentElement)
        parents.push(each);
      shown.push({
        location: `${element.tagName.toLowerCase()}.${element.className} in ${parents[2]?.className}`,
        direction: getComputedStyle(element).direction,
        isAuto: element.closest("[dir=auto], bdi") !== null,
        isWhole: [...range.getClientRects()].every(isInside) && !parents.some(clips),
      });
    }
    return shown;
  }, text);

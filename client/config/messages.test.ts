import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { messages } from "./messages.ts";

const specification = readFileSync("docs/product.md", "utf8");
const validation = /^## 5\. [^]*?(?=^## 6\. )/m.exec(specification)?.[0] ?? "";
const words: string[] = Object.values(messages);

/** What every deletion asks: `ui/forms/confirm-dialog.tsx` has its words, and the journeys read them. */
const asked = ["Are you sure?", "Once deleted, you will not be able to recover ..."];

test.each(words)("%s stands in the specification, letter for letter", (text) => {
  expect(specification).toContain(text);
});

test("every message that the specification's validation quotes is in the catalogue", () => {
  const quoted = [...validation.matchAll(/(?<!\w)'([^'\n]+)'(?!\w)/g)].map(([, text]) => text);
  expect(quoted.length).toBeGreaterThanOrEqual(16);
  expect(quoted.filter((text) => !words.includes(text ?? ""))).toEqual(asked);
});

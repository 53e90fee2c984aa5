import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { messages } from "./messages.ts";

const specification = readFileSync("docs/product.md", "utf8");
const validation = /^## 5\. [^]*?(?=^## 6\. )/m.exec(specification)?.[0] ?? "";
const texts: string[] = Object.values(messages);

/** The confirmation of every deletion, which `ui/forms/confirm-dialog.tsx` shows and the e2e tests check. */
const confirmation = ["Are you sure?", "Once deleted, you will not be able to recover ..."];

test.each(texts)("%s is exact text of the specification", (text) => {
  expect(specification).toContain(text);
});

test("every validation message of the specification is in the catalogue", () => {
  const quoted = [...validation.matchAll(/(?<!\w)'([^'\n]+)'(?!\w)/g)].map(([, text]) => text);
  expect(quoted.length).toBeGreaterThanOrEqual(16);
  expect(quoted.filter((text) => !texts.includes(text ?? ""))).toEqual(confirmation);
});

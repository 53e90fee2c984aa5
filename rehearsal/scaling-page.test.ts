import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readFigures } from "./figures.ts";
import { fillPage, sectionsOf } from "./scaling-page.ts";

test("the tables of docs/scaling.md follow from the figures, the model and the queries", async () => {
  const page = readFileSync("docs/scaling.md", "utf8");
  const sections = sectionsOf(readFigures());
  for (const name of Object.keys(sections)) expect(page).toContain(`<!-- ${name} -->`);
  await expect(fillPage(page, sections)).toMatchFileSnapshot("../docs/scaling.md");
});

import { expect, test } from "vitest";
import { shownPages } from "./pager.tsx";

test("few pages are shown in full", () => {
  expect(shownPages(1, 3)).toEqual([1, 2, 3]);
  expect(shownPages(3, 5)).toEqual([1, 2, 3, 4, 5]);
});

test("many pages show both ends and the neighbours, with a gap for each omitted range", () => {
  expect(shownPages(50, 100)).toEqual([1, -49, 49, 50, 51, -100, 100]);
  expect(shownPages(1, 100)).toEqual([1, 2, -100, 100]);
});

test("a single page is shown instead of a gap", () => {
  expect(shownPages(4, 100).slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
});

test("entries are unique on every page", () => {
  for (let pages = 1; pages <= 30; pages++)
    for (let page = 1; page <= pages; page++) {
      const shown = shownPages(page, pages);
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown).toContain(page);
      expect(shown).toContain(pages);
    }
});

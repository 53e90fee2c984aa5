import type { Page } from "playwright-core";

export const rowsOf = (page: Page) => page.getByRole("table").getByRole("row");

/** Without the time of a comment, which may change between two looks. */
export const namesIn = async (page: Page) =>
  (await page.getByRole("rowheader").allTextContents()).map((name) => name.replace(/ · [^·]*(ago|now)$/, ""));

export const range = (page: Page) => page.getByRole("main").getByRole("status").first().textContent();

/** The index of the focused row, and the text of the focused element. */
export const focused = (page: Page) =>
  page.evaluate(() => [document.activeElement?.closest("tr")?.rowIndex, document.activeElement?.textContent]);

import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Row, Scene } from "./product/row.ts";
import { frame } from "./product/section-2-frame.ts";
import { screens } from "./product/section-2-screens.ts";
import { entities } from "./product/section-3-entities.ts";
import { failedCreation, states } from "./product/section-4-states.ts";
import { validation } from "./product/section-5-validation.ts";
import { roles } from "./product/section-6-roles.ts";
import { calls } from "./product/section-7-calls.ts";
import { profileCalls } from "./product/section-7-profiles.ts";
import { errors } from "./product/section-8-errors.ts";
import { limits } from "./product/section-9-limits.ts";
import { openBrowser } from "./testing/browser.ts";
import { logInAdmin, logInWriter, makeAccount, type Account } from "./testing/people.ts";
import { openPage, writeComment, writePost } from "./testing/stage.ts";

const rows: Row[] = [
  ...[...screens, ...frame, ...entities, ...states, ...validation, ...roles],
  ...[...calls, ...profileCalls, ...errors, ...failedCreation, ...limits],
];

const sections = readFileSync("docs/product.md", "utf8")
  .split(/^## (?=\d\. )/m)
  .slice(1)
  .map((text) => ({ number: Number(text[0]), title: text.slice(3, text.indexOf("\n")), text }))
  .filter(({ number }) => number > 1);

describe("the table of requirements", () => {
  test("quotes only text of the specification's section", () => {
    const misplaced = rows.filter(({ section, quote }) => {
      const content = sections.find(({ number }) => number === section)?.text ?? "";
      return !content.includes(quote);
    });
    expect(misplaced.map(({ quote }) => quote)).toEqual([]);
  });

  for (const { number, title, text } of sections) {
    const quotes = rows.filter((row) => row.section === number).map(({ quote }) => quote);
    const lines = text
      .split("\n")
      .slice(1)
      // Skips table heads, introductions, and items that the specification marks as not shown.
      .filter((line) => line && !/^\|(---| Route | Method )|:$|: not shown\.$/.test(line));
    const strings = [...text.matchAll(/(?<!\w)'([^'\n]+)'(?!\w)/g)].map(([quoted]) => quoted);
    test(`covers every line and quoted string of section ${number}, ${title}`, () => {
      const open = lines.filter((line) => !quotes.some((quote) => line.includes(quote)));
      expect(open).toEqual([]);
      expect(strings.filter((quoted) => !quotes.some((quote) => quote.includes(quoted)))).toEqual([]);
      console.log(
        `section ${number}: ${quotes.length} rows for ${lines.length} lines, ${strings.length} quoted strings`,
      );
    });
  }
});

describe("the specification holds", () => {
  let browser: Browser;
  let people: Record<"author" | "other" | "admin", Account>;
  let post: Scene["post"];

  beforeAll(async () => {
    browser = await openBrowser();
    people = { author: await makeAccount(), other: await logInWriter(), admin: await logInAdmin() };
    const { _id, title } = await writePost(people.author);
    post = { _id, title, commentId: (await writeComment(people.author, _id))._id };
  });
  afterAll(() => browser.close());

  test.each(rows)("$section ($who): $quote", async ({ who, act }) => {
    expect.hasAssertions();
    const account = who === "newcomer" ? await makeAccount() : who === "visitor" ? null : people[who];
    const { page, context } = await openPage(browser, account);
    page.setDefaultTimeout(10_000);
    try {
      await act({ page, me: account ?? people.author, author: people.author, admin: people.admin, post });
    } finally {
      await context.close();
    }
  });
});

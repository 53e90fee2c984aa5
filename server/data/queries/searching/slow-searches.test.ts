import { afterEach, expect, test, vi } from "vitest";
import type { SearchQuery } from "../../../domain/post-selection.ts";
import { openSlowSearches } from "./slow-searches.ts";

afterEach(() => void vi.useRealTimers());

const search = (...words: string[]): SearchQuery => ({
  terms: words.map((word) => ({ words: [word], isExcluded: false, isPrefix: true, isPhrase: false })),
  ...{ authors: [], categories: [], tags: [] },
});

/** Searches for a time, by fake timers. */
async function searchFor(
  limit: ReturnType<typeof openSlowSearches>,
  milliseconds: number,
  query: SearchQuery,
) {
  const searched = limit(query, async ({ terms }, mayBeMisspelt) => {
    await new Promise((done) => setTimeout(done, milliseconds));
    const prefixes = terms.filter(({ isPrefix }) => isPrefix).flatMap(({ words }) => words);
    return { prefixes, mayBeMisspelt };
  });
  await vi.advanceTimersByTimeAsync(milliseconds);
  return searched;
}

test("A47-5: a beginning whose search has twice taken a second is a whole word for ten minutes", async () => {
  vi.useFakeTimers();
  const limit = openSlowSearches();
  const prefixes = async (milliseconds: number, query: SearchQuery) =>
    (await searchFor(limit, milliseconds, query)).prefixes;
  expect(await prefixes(900, search("slate"))).toEqual(["slate"]);
  expect(await prefixes(1_500, search("slate", "roof"))).toEqual(["slate", "roof"]);
  expect(await prefixes(1_500, search("slate"))).toEqual(["slate"]);
  expect(await prefixes(10, search("Slate", "roof"))).toEqual(["roof"]);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect(await prefixes(10, search("slate"))).toEqual(["slate"]);
});

test("A48-3: after a slow search, similar names are left out for twenty times as long", async () => {
  vi.useFakeTimers();
  const limit = openSlowSearches();
  const mayBeMisspelt = async (milliseconds: number, word: string) =>
    (await searchFor(limit, milliseconds, search(word))).mayBeMisspelt;
  expect(await mayBeMisspelt(200, "slaet")).toBe(true);
  expect(await mayBeMisspelt(2_000, "salte")).toBe(true);
  // The search takes long for another reason, which prolongs nothing.
  expect(await mayBeMisspelt(30_000, "slatte")).toBe(false);
  expect(await mayBeMisspelt(9_000, "slatte")).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await mayBeMisspelt(10, "slatte")).toBe(true);
});

test("a search that fails after a second counts as well", async () => {
  vi.useFakeTimers();
  const limit = openSlowSearches();
  const fail = () =>
    limit(search("slate"), async () => {
      await new Promise((done) => setTimeout(done, 4_000));
      throw new Error("canceling statement due to statement timeout");
    });
  await Promise.all([expect(fail()).rejects.toThrow("timeout"), vi.advanceTimersByTimeAsync(4_000)]);
  await Promise.all([expect(fail()).rejects.toThrow("timeout"), vi.advanceTimersByTimeAsync(4_000)]);
  expect(await limit(search("slate"), async ({ terms }) => terms[0]?.isPrefix)).toBe(false);
});

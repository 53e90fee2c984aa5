import { afterEach, expect, test, vi } from "vitest";
import type { SearchQuery } from "../../domain/post-selection.ts";
import { openSlowWords } from "./slow-words.ts";

afterEach(() => void vi.useRealTimers());

const search = (...words: string[]): SearchQuery => ({
  terms: words.map((word) => ({ words: [word], isExcluded: false, isPrefix: true, isPhrase: false })),
  ...{ authors: [], categories: [], tags: [] },
});

test("A47-5: a beginning whose search has twice taken a second is a whole word for ten minutes", async () => {
  vi.useFakeTimers();
  const limit = openSlowWords();
  const prefixes = async (milliseconds: number, query: SearchQuery) => {
    const searched = limit(query, async ({ terms }) => {
      await new Promise((done) => setTimeout(done, milliseconds));
      return terms.filter(({ isPrefix }) => isPrefix).flatMap(({ words }) => words);
    });
    await vi.advanceTimersByTimeAsync(milliseconds);
    return searched;
  };
  expect(await prefixes(900, search("slate"))).toEqual(["slate"]);
  expect(await prefixes(1_500, search("slate", "roof"))).toEqual(["slate", "roof"]);
  expect(await prefixes(1_500, search("slate"))).toEqual(["slate"]);
  expect(await prefixes(10, search("Slate", "roof"))).toEqual(["roof"]);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect(await prefixes(10, search("slate"))).toEqual(["slate"]);
});

test("names that resemble a word are not searched for ten minutes after it has been slow twice", async () => {
  vi.useFakeTimers();
  const limit = openSlowWords();
  const quoted = { words: ["grey", "slate"], isExcluded: false, isPrefix: false, isPhrase: true };
  const isExact = async (milliseconds: number, query: SearchQuery) => {
    const searched = limit(query, async (_query, exact) => {
      await new Promise((done) => setTimeout(done, milliseconds));
      return exact;
    });
    await vi.advanceTimersByTimeAsync(milliseconds);
    return searched;
  };
  expect(await isExact(1_500, { ...search("roof"), terms: [quoted] })).toBe(false);
  expect(await isExact(1_500, search("slate"))).toBe(false);
  expect(await isExact(10, search("roof", "slate"))).toBe(true);
  expect(await isExact(10, search("roof"))).toBe(false);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect(await isExact(10, search("slate"))).toBe(false);
});

test("a search that fails after a second counts as well", async () => {
  vi.useFakeTimers();
  const limit = openSlowWords();
  const fail = () =>
    limit(search("slate"), async () => {
      await new Promise((done) => setTimeout(done, 4_000));
      throw new Error("canceling statement due to statement timeout");
    });
  await Promise.all([expect(fail()).rejects.toThrow("timeout"), vi.advanceTimersByTimeAsync(4_000)]);
  await Promise.all([expect(fail()).rejects.toThrow("timeout"), vi.advanceTimersByTimeAsync(4_000)]);
  expect(await limit(search("slate"), async ({ terms }) => terms[0]?.isPrefix)).toBe(false);
});

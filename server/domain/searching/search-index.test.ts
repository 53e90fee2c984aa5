import { expect, test, vi } from "vitest";
import type { Services } from "../context.ts";
import type { SearchablePost } from "../post-selection.ts";
import { indexPending } from "./search-index.ts";

const requireDiskSpace = async () => undefined;

test("a batch of long texts is written one by one, and short ones together", async () => {
  const lengths = [50_000, 50_000, 100, 200, 49_000, 49_000];
  const posts = lengths.map((length, n) => ({
    id: `${n}`,
    title: "Slate",
    description: "日".repeat(length),
  }));
  const indexPosts = vi.fn(async (_posts: SearchablePost[]) => undefined);
  const services = {
    requireDiskSpace,
    queries: { unindexedPosts: async () => posts },
    writes: { indexPosts },
  };
  const began = performance.now();
  await indexPending(services as unknown as Services);
  // Cutting runs of this length as wholes takes six seconds.
  expect(performance.now() - began).toBeLessThan(4_000);
  const written = indexPosts.mock.calls.map(([portion]) => portion.map(({ id }) => id));
  expect(written).toEqual([["0"], ["1"], ["2", "3", "4"], ["5"]]);
});

test("a text with any number of marks on a letter is indexed with 64, which take the database no time", async () => {
  const marks = "\u0316\u0301".repeat(24_000);
  const post = { id: "1", title: `A${marks}`, description: `日${marks} の ${marks}` };
  const indexPosts = vi.fn(async (_posts: { spacedTitle: string; spacedDescription: string }[]) => undefined);
  const services = {
    requireDiskSpace,
    queries: { unindexedPosts: async () => [post] },
    writes: { indexPosts },
  };
  await indexPending(services as unknown as Services);
  const [[[written]]] = indexPosts.mock.calls as [[[{ spacedTitle: string; spacedDescription: string }]]];
  expect(written.spacedTitle).toBe(`A${marks.slice(0, 64)}`);
  expect(written.spacedDescription.length).toBeLessThan(200);
});

test("other work runs while a text is cut into words", async () => {
  const post = { id: "1", title: "Slate", description: "ก的あア".repeat(12_500) };
  const services = {
    requireDiskSpace,
    queries: { unindexedPosts: async () => [post] },
    writes: { indexPosts: async () => undefined },
  };
  let turns = 0;
  const count = () => {
    turns++;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  await indexPending(services as unknown as Services);
  clearImmediate(immediate);
  // A text of full length takes ten slices or more.
  expect(turns).toBeGreaterThan(3);
});

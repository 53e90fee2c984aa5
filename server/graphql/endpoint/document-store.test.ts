import { parse } from "graphql";
import { expect, test } from "vitest";
import { openDocumentStore } from "./document-store.ts";

test("of any number of documents the last 50 that were used stay in memory", async () => {
  const store = openDocumentStore();
  const document = parse("{ postsCount }");
  for (let n = 0; n < 1_000; n++) {
    await store.set(`${n}`, document);
    expect(await store.get("0")).toBe(document);
  }
  const stored = await Promise.all(Array.from({ length: 1_000 }, (_, n) => store.get(`${n}`)));
  expect(stored.filter((each) => each !== undefined)).toHaveLength(50);
});

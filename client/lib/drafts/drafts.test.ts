import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropDraft, dropDraftsOfOthers, readDraft, writeDraft } from "./drafts.ts";

// Only what the module asks of a browser.
const kept = new Map<string, string>();

beforeEach(() => {
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => {
  kept.clear();
  vi.unstubAllGlobals();
});

test("each form gets back what was typed into it, the latest of it", () => {
  writeDraft("maya", "create-post", { title: "A walk" });
  writeDraft("maya", "comment on 7", { text: "I was" });
  writeDraft("maya", "comment on 7", { text: "I was there" });
  expect(readDraft("maya", "create-post")).toEqual({ title: "A walk" });
  expect(readDraft("maya", "comment on 7")).toEqual({ text: "I was there" });
  expect(readDraft("maya", "comment on 8")).toBeNull();
});

test("what is sent is forgotten, and the last one leaves nothing behind", () => {
  writeDraft("maya", "create-post", { title: "A walk" });
  writeDraft("maya", "comment on 7", { text: "I was there" });
  dropDraft("maya", "create-post");
  dropDraft("maya", "never-typed");
  expect(readDraft("maya", "create-post")).toBeNull();
  expect(readDraft("maya", "comment on 7")).toEqual({ text: "I was there" });
  dropDraft("maya", "comment on 7");
  expect(kept.size).toBe(0);
});

test("nobody reads what another account typed, and its drafts go when another comes", () => {
  writeDraft("maya", "create-post", { title: "Mine" });
  expect(readDraft("noor", "create-post")).toBeNull();
  dropDraft("noor", "create-post");
  dropDraftsOfOthers("maya");
  expect(readDraft("maya", "create-post")).toEqual({ title: "Mine" });
  dropDraftsOfOthers("noor");
  expect(kept.size).toBe(0);
});

test("what one account types takes the place of what another had typed", () => {
  writeDraft("maya", "create-post", { title: "Mine" });
  writeDraft("noor", "comment on 7", { text: "Hers" });
  expect(readDraft("maya", "create-post")).toBeNull();
  expect(kept.get("drafts")).not.toContain("Mine");
});

test("logging out forgets everybody's", () => {
  writeDraft("maya", "create-post", { title: "Mine" });
  dropDraftsOfOthers(null);
  expect(kept.size).toBe(0);
});

test("text that is no draft counts as none, and a full or blocked storage breaks nothing", () => {
  kept.set("drafts", "{half");
  expect(readDraft("maya", "create-post")).toBeNull();
  const fail = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: fail, setItem: fail, removeItem: fail });
  writeDraft("maya", "create-post", { title: "Only here" });
  expect(readDraft("maya", "create-post")).toEqual({ title: "Only here" });
  dropDraft("maya", "create-post");
  expect(readDraft("maya", "create-post")).toBeNull();
});

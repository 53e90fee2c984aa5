import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeStorage } from "../../testing/storage.ts";
import { dropDraft, dropDraftsOfOthers, readDraft, writeDraft } from "./drafts.ts";

const storage = new Map<string, string>();

beforeEach(() => {
  vi.stubGlobal("localStorage", fakeStorage(storage));
});
afterEach(() => {
  storage.clear();
  vi.unstubAllGlobals();
});

test("each form reads its latest draft", () => {
  writeDraft("maya", "create-post", { title: "A walk" });
  writeDraft("maya", "comment on 7", { text: "I was" });
  writeDraft("maya", "comment on 7", { text: "I was there" });
  expect(readDraft("maya", "create-post")).toEqual({ title: "A walk" });
  expect(readDraft("maya", "comment on 7")).toEqual({ text: "I was there" });
  expect(readDraft("maya", "comment on 8")).toBeNull();
});

test("sent drafts are deleted, and the last one leaves no item in storage", () => {
  writeDraft("maya", "create-post", { title: "A walk" });
  writeDraft("maya", "comment on 7", { text: "I was there" });
  dropDraft("maya", "create-post");
  dropDraft("maya", "never-typed");
  expect(readDraft("maya", "create-post")).toBeNull();
  expect(readDraft("maya", "comment on 7")).toEqual({ text: "I was there" });
  dropDraft("maya", "comment on 7");
  expect(storage.size).toBe(0);
});

test("an account cannot read another's drafts, and its login deletes them", () => {
  writeDraft("maya", "create-post", { title: "Mine" });
  expect(readDraft("noor", "create-post")).toBeNull();
  dropDraft("noor", "create-post");
  dropDraftsOfOthers("maya");
  expect(readDraft("maya", "create-post")).toEqual({ title: "Mine" });
  dropDraftsOfOthers("noor");
  expect(storage.size).toBe(0);
});

test("an account's draft replaces another account's drafts", () => {
  writeDraft("maya", "create-post", { title: "Mine" });
  writeDraft("noor", "comment on 7", { text: "Hers" });
  expect(readDraft("maya", "create-post")).toBeNull();
  expect(storage.get("drafts")).not.toContain("Mine");
});

test("logging out deletes all drafts", () => {
  writeDraft("maya", "create-post", { title: "Mine" });
  dropDraftsOfOthers(null);
  expect(storage.size).toBe(0);
});

test("invalid drafts are ignored, and a full or blocked storage causes no error", () => {
  storage.set("drafts", "{half");
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

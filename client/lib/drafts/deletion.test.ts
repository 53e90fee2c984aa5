import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeStorage } from "../../testing/storage.ts";
import { beginDeletion, endDeletion, isDeleted, readDeletion } from "./deletion.ts";
import { readDraft, writeDraft } from "./drafts.ts";

beforeEach(() => {
  vi.stubGlobal("localStorage", fakeStorage());
  vi.stubGlobal("sessionStorage", fakeStorage());
  vi.useFakeTimers({ now: 1_000 });
});
afterEach(() => {
  endDeletion();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("texts are deleted at once, those of the owner are kept", () => {
  writeDraft("maya", "create-post", { title: "A walk" });
  beginDeletion("maya");
  expect(readDraft("maya", "create-post")).toEqual({ title: "A walk" });
  beginDeletion(null);
  expect(readDraft("maya", "create-post")).toBeNull();
});

test("pictures are deleted that were stored before, not those of the owner", () => {
  beginDeletion("maya");
  expect(isDeleted({ owner: "noor", storedAt: 900 })).toBe(true);
  expect(isDeleted({ owner: "noor" })).toBe(true);
  expect(isDeleted({ owner: "maya", storedAt: 900 })).toBe(false);
});

test("what an account stores after an unfinished deletion is kept", () => {
  beginDeletion(null);
  vi.setSystemTime(2_000);
  beginDeletion("maya");
  expect(readDeletion()).toEqual({ owner: null, at: 2_000 });
  writeDraft("maya", "create-post", { title: "After the login" });
  expect(readDraft("maya", "create-post")).toEqual({ title: "After the login" });
  expect(isDeleted({ owner: "maya", storedAt: 1_900 })).toBe(true);
  expect(isDeleted({ owner: "maya", storedAt: 2_001 })).toBe(false);
});

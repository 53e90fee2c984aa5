import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeStorage } from "../testing/storage.ts";
import { createStored } from "./local-storage-store.ts";

const storage = new Map<string, string>();
const bus = new EventTarget();

beforeEach(() => {
  vi.stubGlobal("localStorage", fakeStorage(storage));
  vi.stubGlobal("addEventListener", bus.addEventListener.bind(bus));
  vi.stubGlobal("removeEventListener", bus.removeEventListener.bind(bus));
});
afterEach(() => {
  storage.clear();
  vi.unstubAllGlobals();
});

test("a written value can be read, and is the same object until it changes", () => {
  const stored = createStored<{ name: string }>("user");
  expect(stored.read()).toBeNull();
  stored.write({ name: "Maya" });
  expect(stored.read()).toBe(stored.read());
  expect(storage.get("user")).toBe('{"name":"Maya"}');
  stored.write(null);
  expect(storage.has("user")).toBe(false);
});

test("a write in another tab notifies subscribers and can be read", () => {
  const stored = createStored<number>("count");
  const listener = vi.fn();
  const stop = stored.subscribe(listener);
  storage.set("count", "7");
  bus.dispatchEvent(Object.assign(new Event("storage"), { key: "count" }));
  bus.dispatchEvent(Object.assign(new Event("storage"), { key: "other" }));
  expect(listener).toHaveBeenCalledOnce();
  expect(stored.read()).toBe(7);
  stop();
});

test("a page that Back restores notifies subscribers of what has changed meanwhile", () => {
  const stored = createStored<number>("count");
  const listener = vi.fn(() => stored.read());
  const stop = stored.subscribe(listener);
  storage.set("count", "7");
  bus.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  expect(listener).not.toHaveBeenCalled();
  bus.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(listener).toHaveReturnedWith(7);
  stop();
});

test("invalid JSON is read as null", () => {
  storage.set("broken", "{half");
  expect(createStored("broken").read()).toBeNull();
});

test("without storage the value lives as long as the page", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => fail(),
    setItem: () => fail(),
    removeItem: () => fail(),
  });
  const stored = createStored<string>("theme");
  expect(stored.write("dark")).toBe(false);
  expect(stored.read()).toBe("dark");
});

test("a value that a full storage refuses lives as long as the page, or until another tab writes", () => {
  const stored = createStored<string>("theme");
  expect(stored.write("light")).toBe(true);
  vi.stubGlobal("localStorage", { ...fakeStorage(storage), setItem: () => fail() });
  expect(stored.write("dark")).toBe(false);
  expect(stored.read()).toBe("dark");
  storage.set("theme", '"sepia"');
  expect(stored.read()).toBe("sepia");
  vi.stubGlobal("localStorage", fakeStorage(storage));
  expect(stored.write("light")).toBe(true);
  expect(stored.read()).toBe("light");
});

function fail(): never {
  throw new Error("storage is blocked");
}

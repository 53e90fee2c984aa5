import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStored } from "./local-storage-store.ts";

// Only what the module asks of a browser: its storage, and events between tabs.
const kept = new Map<string, string>();
const bus = new EventTarget();

beforeEach(() => {
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal("addEventListener", bus.addEventListener.bind(bus));
  vi.stubGlobal("removeEventListener", bus.removeEventListener.bind(bus));
});
afterEach(() => {
  kept.clear();
  vi.unstubAllGlobals();
});

test("a value that was written is read, and is the same object until it changes", () => {
  const stored = createStored<{ name: string }>("user");
  expect(stored.read()).toBeNull();
  stored.write({ name: "Maya" });
  expect(stored.read()).toBe(stored.read());
  expect(kept.get("user")).toBe('{"name":"Maya"}');
  stored.write(null);
  expect(kept.has("user")).toBe(false);
});

test("what another tab writes is heard and read", () => {
  const stored = createStored<number>("count");
  const heard = vi.fn();
  const stop = stored.subscribe(heard);
  kept.set("count", "7");
  bus.dispatchEvent(Object.assign(new Event("storage"), { key: "count" }));
  bus.dispatchEvent(Object.assign(new Event("storage"), { key: "other" }));
  expect(heard).toHaveBeenCalledOnce();
  expect(stored.read()).toBe(7);
  stop();
});

test("text that is no JSON counts as nothing", () => {
  kept.set("broken", "{half");
  expect(createStored("broken").read()).toBeNull();
});

test("without storage the value lives as long as the page", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => fail(),
    setItem: () => fail(),
    removeItem: () => fail(),
  });
  const stored = createStored<string>("theme");
  stored.write("dark");
  expect(stored.read()).toBe("dark");
});

function fail(): never {
  throw new Error("storage is blocked");
}

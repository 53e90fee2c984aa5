import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CombinedGraphQLErrors } from "@apollo/client";
import { Autosave, type AutosavePorts } from "./autosave.ts";
import type { BrowserCopy } from "./browser-copies.ts";
import type { Content, SavedDraft } from "./content.ts";
import { reconcile } from "./reconcile.ts";

const at = "2026-11-22T12:04:00.000Z";
const textOf = (description: string): Content => ({ title: "A walk", category: "", description });
const savedAs = (description: string, version: number): SavedDraft => ({
  ...textOf(description),
  version,
  updatedAt: at,
});

/** A server with one draft, and a browser with one copy. */
function world(saved: SavedDraft | null = null) {
  const state = {
    saved,
    copy: null as BrowserCopy | null,
    isOffline: false,
    losesResponses: false,
    delay: 0,
    announced: [] as unknown[],
  };
  const ports: AutosavePorts = {
    send: async (version, content) => {
      if (state.isOffline) throw new TypeError("Failed to fetch");
      if (state.delay > 0) await new Promise((resolve) => setTimeout(resolve, state.delay));
      const current = state.saved;
      if ((current?.version ?? 0) !== version)
        throw new CombinedGraphQLErrors({
          errors: [{ message: "changed elsewhere", extensions: { code: "CONFLICT", current } }],
        } as never);
      state.saved = { ...content, version: version + 1, updatedAt: at };
      if (state.losesResponses) throw new TypeError("Failed to fetch");
      return { version: version + 1, updatedAt: at };
    },
    store: (copy) => {
      state.copy = copy;
      return true;
    },
    drop: () => void (state.copy = null),
    announce: (working) => void state.announced.push(working),
  };
  const open = () => {
    const autosave = new Autosave(reconcile(state.saved, state.copy), ports);
    return { autosave, stop: autosave.start() };
  };
  return { state, open };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("each change is in the browser at once, and on the server after a pause", async () => {
  const { state, open } = world();
  const { autosave } = open();
  expect(autosave.read().state.kind).toBe("new");
  autosave.change(textOf("One"));
  autosave.change({ description: "One two" });
  expect(state.copy?.description).toBe("One two");
  expect(state.saved).toBeNull();
  await wait(1_000);
  expect(state.saved).toMatchObject({ description: "One two", version: 1 });
  expect(state.copy).toBeNull();
  expect(autosave.read().state).toEqual({ kind: "saved", at });
});

test("publishing waits for the text that is being sent, and sends what was written meanwhile", async () => {
  const { state, open } = world();
  const { autosave } = open();
  state.delay = 3_000;
  autosave.change(textOf("One"));
  await wait(2_000);
  expect(autosave.read().state.kind).toBe("saving");
  const first = autosave.flush();
  await wait(5_000);
  expect(await first).toBe(1);
  autosave.change({ description: "One two" });
  await wait(2_000);
  autosave.change({ description: "One two three" });
  const second = autosave.flush();
  await wait(9_000);
  expect(await second).toBe(3);
  expect(state.saved).toMatchObject({ description: "One two three", version: 3 });
});

test("a draft in which nothing was written is not saved", async () => {
  const { state, open } = world();
  const { stop } = open();
  await wait(20_000);
  stop();
  await wait(20_000);
  expect(state.saved).toBeNull();
});

test("offline, the browser stores the text, and the server gets it later", async () => {
  const { state, open } = world(savedAs("One", 3));
  const { autosave } = open();
  state.isOffline = true;
  autosave.change({ description: "One two" });
  await wait(1_000);
  expect(autosave.read().state.kind).toBe("offline");
  expect(state.copy).toMatchObject({ description: "One two", version: 3 });
  state.isOffline = false;
  await wait(10_000);
  expect(state.saved).toMatchObject({ description: "One two", version: 4 });
});

test("a closed editor is restored with what the server does not have", async () => {
  const { state, open } = world(savedAs("One", 3));
  const { autosave, stop } = open();
  state.isOffline = true;
  autosave.change({ description: "One two" });
  stop();
  await wait(0);
  state.isOffline = false;
  const { autosave: next } = open();
  expect(next.read().content.description).toBe("One two");
  await wait(0);
  expect(state.saved).toMatchObject({ description: "One two", version: 4 });
  expect(state.copy).toBeNull();
});

test("a lost response is no conflict: not for the same editor, nor for the next one", async () => {
  for (const isReopened of [false, true]) {
    const { state, open } = world(savedAs("One", 3));
    const { autosave, stop } = open();
    state.losesResponses = true;
    autosave.change({ description: "One two" });
    await wait(1_000);
    state.losesResponses = false;
    autosave.change({ description: "One two three" });
    if (isReopened) stop();
    const { autosave: last } = isReopened ? open() : { autosave };
    await wait(12_000);
    expect(last.read().state.kind).toBe("saved");
    expect(state.saved?.description).toBe("One two three");
  }
});

test("a change elsewhere stops saving until the writer chooses a text", async () => {
  const { state, open } = world(savedAs("One", 3));
  const { autosave } = open();
  state.saved = savedAs("Theirs", 4);
  autosave.change({ description: "Mine" });
  await wait(1_000);
  expect(autosave.read().state).toEqual({ kind: "conflict", theirs: state.saved });
  await wait(30_000);
  expect(state.saved.description).toBe("Theirs");
  expect(state.copy?.description).toBe("Mine");
  autosave.choose(textOf("Mine"));
  await wait(0);
  expect(state.saved).toMatchObject({ description: "Mine", version: 5 });
  expect(state.copy).toBeNull();
});

test("an undecided conflict is one again after the page was closed", async () => {
  const { state, open } = world(savedAs("One", 3));
  state.copy = { ...textOf("Mine"), version: 2 };
  for (let round = 0; round < 2; round++) {
    const { autosave, stop } = open();
    expect(autosave.read().state.kind).toBe("conflict");
    expect(autosave.read().content.description).toBe("Mine");
    stop();
    await wait(0);
  }
  expect(state.saved?.description).toBe("One");
});

test("another tab's text is shown, and saved by both at most once", async () => {
  const { state, open } = world(savedAs("One", 3));
  const { autosave: first } = open();
  const { autosave: second } = open();
  first.change({ description: "One two" });
  for (const working of state.announced.splice(0)) second.follow(working as never);
  expect(second.read().content.description).toBe("One two");
  await wait(1_000);
  for (const working of state.announced.splice(0)) second.follow(working as never);
  await wait(20_000);
  expect(state.saved?.version).toBe(4);
  second.change({ description: "One two three" });
  await wait(1_000);
  expect(state.saved).toMatchObject({ description: "One two three", version: 5 });
});

test("a tab that saves an earlier text takes nothing from what another one writes meanwhile", async () => {
  const { state, open } = world(savedAs("One", 3));
  const { autosave: writer } = open();
  writer.change({ description: "One tw" });
  const { autosave: opened } = open();
  writer.change({ description: "One two" });
  state.announced.length = 0;
  await wait(0);
  expect(opened.read().state.kind).toBe("saved");
  expect(state.saved).toMatchObject({ description: "One tw", version: 4 });
  for (const working of state.announced.splice(0)) writer.follow(working as never);
  expect(writer.read().content.description).toBe("One two");
  await wait(1_000);
  expect(state.saved).toMatchObject({ description: "One two", version: 5 });
});

test("of a draft that was deleted elsewhere, this browser's text remains", () => {
  expect(reconcile(null, { ...textOf("Mine"), version: 2 })).toMatchObject({
    isGone: true,
    content: { description: "Mine" },
  });
});

test("a suspended draft stays in the browser, is sent by nobody, and is saved when its owner is back", async () => {
  const { state, open } = world(savedAs("One", 1));
  const { autosave, stop } = open();
  autosave.change({ description: "One two" });
  autosave.suspend();
  autosave.change({ description: "One two three" });
  await wait(60_000);
  expect(autosave.read().state).toEqual({ kind: "signed-out" });
  expect(state.saved).toMatchObject({ description: "One", version: 1 });
  expect(state.copy).toMatchObject({ description: "One two three", version: 1 });
  await expect(autosave.flush()).rejects.toThrow("Your session has ended: kept in this browser");
  stop();
  await wait(60_000);
  expect(state.saved).toMatchObject({ version: 1 });
  autosave.resume();
  await wait(1_000);
  expect(state.saved).toMatchObject({ description: "One two three", version: 2 });
  expect(state.copy).toBeNull();
});

test("a failed save that is answered after the end of the session does not hide it", async () => {
  const { state, open } = world();
  const { autosave } = open();
  state.delay = 2_000;
  state.losesResponses = true;
  autosave.change(textOf("One"));
  await wait(1_500);
  autosave.suspend();
  await wait(5_000);
  expect(autosave.read().state).toEqual({ kind: "signed-out" });
  expect(state.copy).toMatchObject({ description: "One" });
});

import pg from "pg";
import { expect, test, vi } from "vitest";
import type { CacheTag } from "../domain/ports.ts";
import { afterFile } from "../testing/cleanup.ts";
import { openTestDatabase } from "../testing/database.ts";
import { createCategory } from "../testing/factories.ts";
import { tryAdvisoryLock } from "./advisory-locks.ts";
import { openInvalidationListener } from "./invalidation-listener.ts";

const soon = { timeout: 5_000 };

test("one process is notified of every write, and after its end another one, which starts with all", async () => {
  const { url, db } = await openTestDatabase();
  const open = () => {
    const received: CacheTag[] = [];
    const changes = openInvalidationListener(url);
    changes.lead((tags) => received.push(...tags));
    afterFile(changes.close);
    return { received, changes };
  };
  const processes = [open(), open()];
  await vi.waitUntil(() => processes.some(({ received }) => received.length > 0), soon);
  await vi.waitUntil(() => processes.every(({ changes }) => changes.isListening()), soon);
  const leading = processes.find(({ received }) => received.length > 0)!;
  const other = processes.find((each) => each !== leading)!;
  expect(leading.received).toEqual(["*"]);
  await createCategory(db, "Craft");
  await vi.waitUntil(() => leading.received.length === 2, soon);
  expect(leading.received).toEqual(["*", "categories"]);
  expect(other.received).toEqual([]);
  await leading.changes.close();
  await createCategory(db, "Music");
  await vi.waitUntil(() => other.received.length > 0, soon);
  await createCategory(db, "Food");
  await vi.waitUntil(() => other.received.length > 1, soon);
  expect(other.received).toEqual(["*", "categories"]);
  expect(leading.received).toEqual(["*", "categories"]);
});

test("a process that hangs is replaced", async () => {
  const { url } = await openTestDatabase();
  const hanging = new pg.Client({ connectionString: url });
  const errors: string[] = [];
  hanging.on("error", ({ message }) => errors.push(message));
  await hanging.connect();
  expect(await tryAdvisoryLock(hanging, "purges", 2_000)).toBe(true);
  const received: CacheTag[] = [];
  const changes = openInvalidationListener(url);
  afterFile(changes.close);
  changes.lead((tags) => received.push(...tags));
  await new Promise((done) => setTimeout(done, 1_500));
  expect(received).toEqual([]);
  await vi.waitUntil(() => received.length > 0, soon);
  expect(received).toEqual(["*"]);
  expect(errors[0]).toContain("idle-session timeout");
});

import { expect, test, vi } from "vitest";
import { deferredWorkDone, runDeferred } from "./deferred-work.ts";

test("an email does not wait for the related posts of others", async () => {
  const key = "192.0.2.1";
  const done: string[] = [];
  let finish = () => {};
  const promise = new Promise<void>((resolve) => (finish = resolve));
  const run = (kind: "emails" | "relations", work?: Promise<void>) =>
    runDeferred(
      { kind, key },
      async () => {
        await work;
        done.push(kind);
      },
      (error) => void done.push(String(error)),
    );
  run("relations", promise);
  run("relations");
  run("emails");
  await vi.waitFor(() => expect(done).toEqual(["emails"]));
  finish();
  await deferredWorkDone();
  expect(done).toEqual(["emails", "relations", "relations"]);
});

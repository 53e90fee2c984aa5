import dns from "node:dns/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { withReplica } from "./replica-connection.ts";

test("R36B H2: a replica whose name DNS does not answer for occupies one lookup, however often it is tried", async () => {
  let end = () => {};
  const pending = new Promise<never>((_, reject) => (end = () => reject(new Error("ENOTFOUND"))));
  const lookup = vi.spyOn(dns, "lookup").mockReturnValue(pending);
  onTestFinished(() => {
    // The queue of lookups outlives this file.
    end();
    lookup.mockRestore();
  });
  const url = "postgresql://blog:secret@replica.test:5432/blog";
  const attempts = Array.from({ length: 3 }, () =>
    withReplica(url, "", () => Promise.reject(new Error("connected"))),
  );
  for (const { reason } of (await Promise.allSettled(attempts)) as PromiseRejectedResult[])
    expect(String(reason)).toMatch(/timeout|DNS/);
  expect(lookup).toHaveBeenCalledExactlyOnceWith("replica.test", { all: true });
});

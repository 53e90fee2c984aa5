import { expect, test } from "vitest";
import { openPrimaryPositions } from "./primary-positions.ts";
import { toPosition } from "./position.ts";

/** A primary whose answers arrive when the test says so. */
function openPositions() {
  const pending: ((lsn: string | Error) => void)[] = [];
  const listeners: ((tags: ["posts"]) => void)[] = [];
  const positions = openPrimaryPositions({
    onChange: (listener) => void listeners.push(listener),
    query: <Row>() =>
      new Promise<Row[]>((resolve, reject) => {
        pending.push((lsn) => {
          if (typeof lsn === "string") resolve([{ position: `00000001 ${lsn}` } as Row]);
          else reject(lsn);
        });
      }),
  });
  return { positions, pending, notify: () => listeners.forEach((listener) => listener(["posts"])) };
}

test("the primary receives one query after each notification, and not for a position from before it", async () => {
  const { positions, pending, notify } = openPositions();
  const early = [positions.notified(), positions.notified()];
  expect(pending).toHaveLength(1);
  notify();
  const late = positions.notified();
  expect(pending).toHaveLength(2);
  pending[0]?.("0/1");
  pending[1]?.("0/2");
  expect(await Promise.all(early)).toEqual([toPosition(1, "0/1"), toPosition(1, "0/1")]);
  expect(await late).toBe(toPosition(1, "0/2"));
  expect(positions.notified()).toBe(toPosition(1, "0/2"));
  expect(pending).toHaveLength(2);
});

test("a primary that did not respond receives the query again", async () => {
  const { positions, pending } = openPositions();
  const failed = positions.notified();
  pending[0]?.(new Error("away"));
  await expect(failed).rejects.toThrow("away");
  const repeated = positions.notified();
  pending[1]?.("0/3");
  expect(await repeated).toBe(toPosition(1, "0/3"));
});

test("positions of sessions never go back", () => {
  const { positions } = openPositions();
  positions.record("00000001 0/9");
  positions.record("00000001 0/5");
  expect(positions.recorded()).toBe(toPosition(1, "0/9"));
});

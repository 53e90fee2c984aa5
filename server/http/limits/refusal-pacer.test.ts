import type { ServerResponse } from "node:http";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { openRefusalPacer } from "./refusal-pacer.ts";

function openPacer(limits = { refusals: 200, delayedRefusals: 20 }) {
  const app = Fastify();
  onTestFinished(() => app.close());
  const [sent, dropped] = [new Array<string>(), new Array<string>()];
  const pacer = openRefusalPacer(app, limits);
  return {
    ...{ app, sent, dropped },
    refuse(network: string, n: number, response = {}) {
      const name = `${network}${n}`;
      const send = () => void sent.push(name);
      const drop = () => void dropped.push(name);
      pacer.pace({ network, response: response as ServerResponse, send, drop });
    },
  };
}

test("networks take turns, and each gets one refusal per 20 ms", async () => {
  const { refuse, sent } = openPacer();
  const began = performance.now();
  for (let n = 0; n < 10; n++) refuse("a", n);
  for (let n = 0; n < 2; n++) refuse("b", n);
  await expect.poll(() => sent.length, { interval: 1 }).toBe(12);
  expect(sent.slice(0, 4).sort()).toEqual(["a0", "a1", "b0", "b1"]);
  expect(sent.filter((name) => name.startsWith("a"))).toEqual(Array.from({ length: 10 }, (_, n) => `a${n}`));
  expect(performance.now() - began).toBeGreaterThan(150);
});

test("all networks together get the number per second", async () => {
  const { refuse, sent } = openPacer({ refusals: 100, delayedRefusals: 100 });
  const began = performance.now();
  for (let n = 0; n < 40; n++) refuse(`network ${n} `, 0);
  await expect.poll(() => sent.length, { interval: 1 }).toBe(40);
  expect(performance.now() - began).toBeGreaterThan(300);
});

test("where too many wait, the newest of the network with most is dropped", () => {
  const { refuse, dropped } = openPacer();
  for (let n = 0; n < 20; n++) refuse("a", n);
  for (let n = 0; n < 2; n++) refuse("b", n);
  expect(dropped).toEqual(["a19", "a18"]);
});

test("where each network has one, the end sends all but the dropped ones", async () => {
  const { app, refuse, sent, dropped } = openPacer();
  for (let n = 0; n < 22; n++) refuse(`network ${n} `, 0);
  await app.close();
  expect([dropped.length, sent.length, new Set([...dropped, ...sent]).size]).toEqual([2, 20, 22]);
});

test("refusals of clients that have disconnected do not count, and the end sends all others", async () => {
  const { app, refuse, sent, dropped } = openPacer();
  const gone = { destroyed: false };
  for (let n = 0; n < 19; n++) refuse("a", n, gone);
  gone.destroyed = true;
  refuse("b", 0);
  await expect.poll(() => sent).toEqual(["b0"]);
  for (let n = 0; n < 15; n++) refuse("b", n + 1);
  await app.close();
  expect(sent).toContain("b15");
  expect([dropped, sent.filter((name) => name.startsWith("a"))]).toEqual([[], []]);
});

test("an error of a delayed refusal ends its response only", async () => {
  const { refuse, sent, app } = openPacer();
  const pacer = openRefusalPacer(app, { refusals: 200, delayedRefusals: 20 });
  const isDestroyed = await new Promise((destroyed) =>
    pacer.pace({
      network: "a",
      response: { destroy: () => destroyed(true) } as unknown as ServerResponse,
      send: () => {
        throw new Error("gone");
      },
      drop: () => undefined,
    }),
  );
  refuse("b", 0);
  await expect.poll(() => sent).toEqual(["b0"]);
  expect(isDestroyed).toBe(true);
});

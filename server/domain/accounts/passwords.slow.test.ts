import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import type { Ctx } from "../context.ts";
import { checkPassword, withHashingPermit, hashPassword } from "./passwords.ts";

const from = (origin: string) => ({ origin }) as Ctx;
const hash = (origin: string) => withHashingPermit(from(origin), () => hashPassword("a long secret"));

test("a hash whose parameters cost more than those of new ones is not computed", async () => {
  const stored = await hashPassword("a long secret");
  expect(await checkPassword(stored, "a long secret")).toBe(true);
  const began = performance.now();
  for (const parameters of ["m=4194304,t=2,p=1", "m=19456,t=1000,p=1", "m=19456,t=2,p=64"])
    expect(await checkPassword(stored.replace("m=19456,t=2,p=1", parameters), "a long secret")).toBe(false);
  expect(performance.now() - began).toBeLessThan(1_500);
});

test("a network has four hundred in the queue; more are rejected with retryAfter", async () => {
  const capacity = Math.max(1, availableParallelism() >> 1) + 400;
  const refused: unknown[] = [];
  const flood = Array.from({ length: capacity + 50 }, () =>
    hash("192.0.2.1").catch((error: unknown) => void refused.push(error)),
  );
  await new Promise((done) => process.nextTick(done));
  expect(refused).toHaveLength(50);
  for (const error of refused) expect(error).toMatchObject({ code: "UNAVAILABLE", retryAfter: 5 });
  const began = performance.now();
  await Promise.all(flood);
  const hashed = capacity + 50 - refused.length;
  console.info(`${hashed} hashed within ${Math.round(performance.now() - began)} ms`);
  // Requests that wait too long in the queue are rejected too.
  expect(performance.now() - began).toBeLessThan(20_000);
}, 60_000);

test("many networks delay others by one round at most", async () => {
  const flood = Array.from({ length: 300 }, (_, n) => hash(`198.51.100.${n % 60}`).catch(() => null));
  let done = 0;
  for (const each of flood) void each.then(() => done++);
  await hash("192.0.2.2");
  // One for each of the sixty networks.
  expect(done).toBeLessThan(70);
  await Promise.all(flood);
}, 60_000);

test("one origin cannot fill the hashing queue", async () => {
  let done = 0;
  const flood = Array.from({ length: 120 }, () => hash("192.0.2.1").then(() => done++));
  await hash("192.0.2.2");
  expect(done).toBeLessThan(20);
  await Promise.all(flood);
}, 30_000);

test("B4: all origins of one IPv6 network together cannot fill it either", async () => {
  const hashTwo = (origin: string) =>
    withHashingPermit(from(origin), () => Promise.all([1, 2].map(() => hashPassword("a long secret"))));
  const flood = Array.from({ length: 240 }, (_, n) =>
    hashTwo(`2001:db8:7:${n.toString(16)}::/64`).catch(() => null),
  );
  const began = performance.now();
  for (let n = 0; n < 5; n++) await hashTwo(`192.0.2.${n + 10}`);
  expect(performance.now() - began).toBeLessThan(5_000);
  await Promise.all(flood);
}, 60_000);

import dns from "node:dns/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findAddresses } from "./host-addresses.ts";

const address = { address: "192.0.2.1", family: 4 };
let owed: { host: string; answer: () => void; fail: () => void }[] = [];
let testNumber = 0;
const nameOf = (service: string) => `${service}.${testNumber}.test`;

beforeEach(() => {
  testNumber++;
  owed = [];
  vi.useFakeTimers();
  vi.spyOn(dns, "lookup").mockImplementation(
    ((host: string) =>
      new Promise((resolve, reject) => {
        owed.push({ host, answer: () => resolve([address]), fail: () => reject(new Error("ENOTFOUND")) });
      })) as unknown as typeof dns.lookup,
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

test("R36B H1: names that DNS does not answer for occupy one lookup, whatever asks for them", async () => {
  const [bucket, mail] = ["bucket", "mail"].map(nameOf) as [string, string];
  const requests = Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => findAddresses(n % 2 ? bucket : mail)),
  );
  await vi.advanceTimersByTimeAsync(2_000);
  for (const { reason } of (await requests) as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: "ETIMEDOUT" });
  expect(owed.map(({ host }) => host)).toEqual([mail]);
  const found = findAddresses(bucket);
  owed[0]?.fail();
  await settle();
  expect(owed.map(({ host }) => host)).toEqual([mail, bucket]);
  owed[1]?.answer();
  expect(await found).toEqual([address]);
});

test("addresses are looked up again, and used while DNS does not answer", async () => {
  const name = nameOf("bucket");
  const first = findAddresses(name);
  await settle();
  owed[0]?.answer();
  await first;
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await findAddresses(name)).toEqual([address]);
  expect(owed).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await findAddresses(name)).toEqual([address]);
  await settle();
  expect(owed).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(60_000);
  const late = findAddresses(name);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await late).toEqual([address]);
  expect(await findAddresses(name)).toEqual([address]);
  expect(owed).toHaveLength(2);
  owed[1]?.fail();
});

test("an IP address is not looked up", async () => {
  expect(await findAddresses("2001:db8::1")).toEqual([{ address: "2001:db8::1", family: 6 }]);
  expect(owed).toEqual([]);
});

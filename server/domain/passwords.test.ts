import { expect, test } from "vitest";
import { hashPassword, spendPasswordTime } from "./passwords.ts";

test("an overload while the first unknown address signs in passes", async () => {
  const flood = Array.from({ length: 420 }, () => hashPassword("a long secret").catch(() => null));
  await spendPasswordTime().catch(() => null);
  await Promise.all(flood);
  expect(await spendPasswordTime()).toBe(false);
}, 30_000);

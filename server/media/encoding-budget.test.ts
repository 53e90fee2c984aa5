import { expect, test } from "vitest";
import { createEncodingBudget } from "./encoding-budget.ts";

test("an origin whose pictures take long waits, and no other does", async () => {
  let time = 0;
  const spend = createEncodingBudget(() => time);
  const encode = (seconds: number) => async () => void (time += seconds * 1_000);
  const fail = () => encode(30)().then(() => Promise.reject(new Error("File too large")));
  await expect(spend("192.0.2.1", fail)).rejects.toThrow("File too large");
  await spend("192.0.2.1", encode(29));
  await spend("192.0.2.1", encode(1));
  const refusal = {
    code: "RATE_LIMITED",
    message: "your pictures took long to process, please try again in 9 minutes",
    retryAfter: 540,
  };
  await expect(spend("192.0.2.1", encode(1))).rejects.toMatchObject(refusal);
  await spend("192.0.2.2", encode(1));
  time = 10 * 60_000;
  await spend("192.0.2.1", encode(59));
  await spend("192.0.2.1", encode(59));
  await expect(spend("192.0.2.1", encode(1))).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

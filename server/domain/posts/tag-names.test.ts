import { expect, test } from "vitest";
import { tagNames } from "./tag-names.ts";

const refusalOf = (names: string | string[]) => tagNames.safeParse(names).error?.issues[0]?.message;

test.each([
  ["a name with the most marks of a request", [`a${"\u0301".repeat(90_000)}${"\u0316".repeat(90_000)}`]],
  ["as many long names", Array.from({ length: 400 }, (_, n) => `${n}${"\u0301\u0316".repeat(450)}`)],
])("refuses %s in no time", (_name, names) => {
  const began = performance.now();
  expect(refusalOf(names)).toBe("length must be less than or equal to 40 characters long each");
  expect(performance.now() - began).toBeLessThan(500);
});

test("refuses a list of the most names in no time", () => {
  const began = performance.now();
  const names = Array.from({ length: 70_000 }, (_, n) => n.toString(36));
  expect(refusalOf(names.join(","))).toBe("must not be more than 5");
  expect(performance.now() - began).toBeLessThan(1_000);
});

test.each(["日本・語", "C++", "कहानी", "ẹ̀kọ́", "🏳️‍🌈", "Col·lecció", "عربى", "R&D", "50 %"])(
  "accepts %s",
  (name) => {
    expect(refusalOf([name])).toBeUndefined();
  },
);

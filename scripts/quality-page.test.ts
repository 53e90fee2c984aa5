import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const rows = read("docs/quality.md")
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number = "", finding = "", tests = ""] = line.slice(2, -2).split(" | ");
    return { name: `${number} ${finding}`, tests: tests.split("<br>") };
  });

test("docs/quality.md lists every finding", () => {
  expect(rows.map(({ name }) => parseInt(name))).toEqual([...numbersTo(38), ...numbersTo(50)]);
});

test.each(rows)("the tests of docs/quality.md exist: $name", ({ tests }) => {
  for (const each of tests) {
    const [, file = "", title = ""] = /^`(\S+\.test\.tsx?)`: (.+)$/.exec(each) ?? [];
    expect(read(file), each).toContain(`"${title}"`);
  }
});

function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

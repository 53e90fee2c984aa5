import { expect, test } from "vitest";
import { firstMissing } from "./first-missing.ts";

const required = { title: "title is missing", image: "image is missing" };

function form(fields: Record<string, string | File>): FormData {
  const values = new FormData();
  for (const [name, value] of Object.entries(fields)) values.set(name, value);
  return values;
}

test("blanks and empty files count as missing, in the order of the form", () => {
  expect(firstMissing(form({ title: "  \n", image: new File(["x"], "a") }), required)).toBe("title");
  expect(firstMissing(form({ title: "A", image: new File([], "") }), required)).toBe("image");
  expect(firstMissing(form({}), required)).toBe("title");
  expect(firstMissing(form({ title: "A", image: new File(["x"], "a") }), required)).toBeNull();
});

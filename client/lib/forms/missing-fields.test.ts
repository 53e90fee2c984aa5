import { expect, test } from "vitest";
import { missingFields } from "./missing-fields.ts";

const required = { title: "title is missing", image: "image is missing" };

function form(fields: Record<string, string | File>): FormData {
  const values = new FormData();
  for (const [name, value] of Object.entries(fields)) values.set(name, value);
  return values;
}

test("blanks and empty files count as missing, in the order of the form", () => {
  expect(missingFields(form({ title: "  \n", image: new File(["x"], "a") }), required)).toEqual(["title"]);
  expect(missingFields(form({ title: "A", image: new File([], "") }), required)).toEqual(["image"]);
  expect(missingFields(form({}), required)).toEqual(["title", "image"]);
  expect(missingFields(form({ title: "A", image: new File(["x"], "a") }), required)).toEqual([]);
});

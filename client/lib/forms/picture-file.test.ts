import { expect, test } from "vitest";
import { pictureProblem } from "./picture-file.ts";

test("a picture of a known type, up to 10 MiB, is accepted", () => {
  expect(pictureProblem({ type: "image/png", size: 1 })).toBeUndefined();
  expect(pictureProblem({ type: "image/avif", size: 10 * 1024 * 1024 })).toBeUndefined();
});

test("other types and larger files get a message, with the size", () => {
  expect(pictureProblem({ type: "application/pdf", size: 1 })).toContain("not a picture");
  expect(pictureProblem({ type: "", size: 1 })).toContain("not a picture");
  expect(pictureProblem({ type: "image/svg+xml", size: 1 })).toContain("not a picture");
  expect(pictureProblem({ type: "image/png", size: 10 * 1024 * 1024 + 1 })).toContain("10.1 MB");
  expect(pictureProblem({ type: "image/png", size: 25 * 1024 * 1024 })).toContain("25.0 MB");
});

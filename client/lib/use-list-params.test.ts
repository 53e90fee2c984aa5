import { describe, expect, test } from "vitest";
import { formatListWish, parseListWish } from "./use-list-params.ts";

const sorts = ["-createdAt", "createdAt", "title", "-title"];
const parse = (query: string) => parseListWish(query, sorts);

describe("the address of a list", () => {
  test("says page, search and sort", () => {
    expect(parse("?page=3&search=ann%20%26%20bo&sort=-title")).toEqual({
      page: 3,
      search: "ann & bo",
      sort: "-title",
    });
  });

  test("that says nothing, or nonsense, means the first page of the usual list", () => {
    const usual = { page: 1, search: "", sort: "-createdAt" };
    expect(parse("")).toEqual(usual);
    expect(parse("?page=0&search=%20&sort=password")).toEqual(usual);
    expect(parse("?page=1e9&sort=")).toEqual(usual);
  });

  test("does not look for more than the server takes", () => {
    expect(parse(`?search=${"x".repeat(101)}`).search).toHaveLength(100);
  });

  test("leaves out what is usual, and reads as it was written", () => {
    expect(formatListWish({ page: 1, search: "", sort: "-createdAt" }, "-createdAt")).toBe("");
    const wish = { page: 2, search: "50% & more", sort: "title" };
    expect(parse(formatListWish(wish, "-createdAt"))).toEqual(wish);
  });
});

import { describe, expect, test } from "vitest";
import { formatListParams, parseListParams } from "./use-list-params.ts";

const sorts = ["-createdAt", "createdAt", "title", "-title"];
const parse = (query: string) => parseListParams(query, sorts);

describe("the URL of a list", () => {
  test("contains page, search and sort", () => {
    expect(parse("?page=3&search=ann%20%26%20bo&sort=-title")).toEqual({
      page: 3,
      search: "ann & bo",
      sort: "-title",
    });
  });

  test("without valid parameters means the first page in the default order", () => {
    const usual = { page: 1, search: "", sort: "-createdAt" };
    expect(parse("")).toEqual(usual);
    expect(parse("?page=0&search=%20&sort=password")).toEqual(usual);
    expect(parse("?page=1e9&sort=")).toEqual(usual);
  });

  test("limits the search to the server's maximum length", () => {
    expect(parse(`?search=${"x".repeat(101)}`).search).toHaveLength(100);
  });

  test("leaves out defaults, and parses to the same values", () => {
    expect(formatListParams({ page: 1, search: "", sort: "-createdAt" }, "-createdAt")).toBe("");
    const listQuery = { page: 2, search: "50% & more", sort: "title" };
    expect(parse(formatListParams(listQuery, "-createdAt"))).toEqual(listQuery);
  });
});

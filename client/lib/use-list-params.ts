import { useLocation, useNavigate } from "react-router-dom";
import { parsePage } from "./parse-page.ts";
import { maxLengths } from "../config/limits.ts";

/** Page, search and order of a list, stored in the URL so that reload, back and forward keep them. */
export type ListParams = { page: number; search: string; sort: string };

/** @param sorts the allowed values: a field, or `-` and a field for descending; the first is the default */
export function parseListParams(query: string, sorts: readonly string[]): ListParams {
  const params = new URLSearchParams(query);
  const sort = params.get("sort") ?? "";
  return {
    page: parsePage(params.get("page")),
    search: (params.get("search") ?? "").trim().slice(0, maxLengths.search),
    sort: sorts.includes(sort) ? sort : (sorts[0] ?? ""),
  };
}

export function formatListParams({ page, search, sort }: ListParams, usualSort: string): string {
  const params = new URLSearchParams({
    ...(page > 1 && { page: String(page) }),
    ...(search && { search }),
    ...(sort !== usualSort && { sort }),
  });
  return params.size > 0 ? `?${params}` : "";
}

const bothDirections = (field: string) => [field, `-${field}`];

/** @param fields the sortable fields @param usual the default order */
export function useListParams(fields: readonly string[], usual: string) {
  const { pathname, search: query } = useLocation();
  const navigate = useNavigate();
  const listQuery = parseListParams(query, [usual, ...fields.flatMap(bothDirections)]);
  const pathOf = (part: Partial<ListParams>) => pathname + formatListParams({ ...listQuery, ...part }, usual);
  /** `keepsScroll` keeps focus and scroll offset. */
  const go = (part: Partial<ListParams>, replace = false) =>
    void navigate(pathOf({ page: 1, ...part }), { replace, state: { keepsScroll: true } });
  return {
    ...listQuery,
    pathOf,
    /** Adds one history entry for the whole search, not one for each letter typed. */
    searchFor: (search: string) => go({ search }, listQuery.search !== ""),
    sortBy: (sort: string) => go({ sort }),
  };
}

export type ListParamsState = ReturnType<typeof useListParams>;

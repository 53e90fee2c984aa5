import { useLocation, useNavigate } from "react-router-dom";
import { parsePage } from "./parse-page.ts";

/** Which part of a list is wanted; it stands in the address, so that reload, back and forward keep it. */
export type ListWish = { page: number; search: string; sort: string };

export const MAX_SEARCH = 100;

/** @param sorts the fields one may sort by, with `-` before them for descending; the first is the usual one */
export function parseListWish(query: string, sorts: readonly string[]): ListWish {
  const params = new URLSearchParams(query);
  const sort = params.get("sort") ?? "";
  return {
    page: parsePage(params.get("page")),
    search: (params.get("search") ?? "").trim().slice(0, MAX_SEARCH),
    sort: sorts.includes(sort) ? sort : (sorts[0] ?? ""),
  };
}

/** The query of an address, with what is usual left out. */
export function formatListWish({ page, search, sort }: ListWish, usualSort: string): string {
  const params = new URLSearchParams({
    ...(page > 1 && { page: String(page) }),
    ...(search && { search }),
    ...(sort !== usualSort && { sort }),
  });
  return params.size > 0 ? `?${params}` : "";
}

/** Each field both ways: ascending is its bare name. */
const bothWays = (field: string) => [field, `-${field}`];

/**
 * @param fields what one may sort by
 * @param usual how the list is sorted when nobody chooses
 */
export function useListAddress(fields: readonly string[], usual: string) {
  const { pathname, search: query } = useLocation();
  const navigate = useNavigate();
  const wish = parseListWish(query, [usual, ...fields.flatMap(bothWays)]);
  const pathOf = (part: Partial<ListWish>) => pathname + formatListWish({ ...wish, ...part }, usual);
  /** Elsewhere in the same list: the focus stays where it is. */
  const go = (part: Partial<ListWish>, replace = false) =>
    void navigate(pathOf({ page: 1, ...part }), { replace, state: { staysInPlace: true } });
  return {
    ...wish,
    pathOf,
    /** Going back leads to the list before the search, not through its letters. */
    searchFor: (search: string) => go({ search }, wish.search !== ""),
    sortBy: (sort: string) => go({ sort }),
  };
}

export type ListAddress = ReturnType<typeof useListAddress>;

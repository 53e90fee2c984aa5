import { paths } from "../../config/paths.ts";

/** Not in paths.ts, which every page loads. */
export const searchPath = (query: string, page = 1) => {
  const params = new URLSearchParams({ ...(query && { q: query }), ...(page > 1 && { page: String(page) }) });
  return params.size > 0 ? `${paths.search}?${params}` : paths.search;
};

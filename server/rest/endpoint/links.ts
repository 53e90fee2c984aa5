/** A Link header (RFC 8288) from one numbered page to the others; a list without rows has one, empty page. */
export function linkPages(address: string, page: number, pages: number): string {
  const last = Math.max(pages, 1);
  const places = {
    first: 1,
    ...(page > 1 && { prev: Math.min(page - 1, last) }),
    ...(page < last && { next: page + 1 }),
    last,
  };
  return Object.entries(places)
    .map(([rel, place]) => `<${address}?pageNumber=${place}>; rel="${rel}"`)
    .join(", ");
}

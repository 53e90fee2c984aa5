/** The Link header (RFC 8288) of a numbered page; an empty list has one page. */
export function linkPages(address: string, page: number, pages: number): string {
  const last = Math.max(pages, 1);
  const numbers = {
    first: 1,
    ...(page > 1 && { prev: Math.min(page - 1, last) }),
    ...(page < last && { next: page + 1 }),
    last,
  };
  return Object.entries(numbers)
    .map(([rel, number]) => `<${address}?pageNumber=${number}>; rel="${rel}"`)
    .join(", ");
}

/** The number of a page as it stands in an address; whatever is none counts as the first. */
export const parsePage = (text: string | null): number =>
  text && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;

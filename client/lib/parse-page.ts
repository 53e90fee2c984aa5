/** Parses the page number of a URL; returns 1 for anything invalid. */
export const parsePage = (text: string | null): number =>
  text && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;

/** Seconds, unit, and the phrase for one. Intl.RelativeTimeFormat would be the longest task of a page load. */
const units = [
  [365 * 24 * 3600, "year", "last year"],
  [30 * 24 * 3600, "month", "last month"],
  [7 * 24 * 3600, "week", "last week"],
  [24 * 3600, "day", "yesterday"],
  [3600, "hour", "1 hour ago"],
  [60, "minute", "1 minute ago"],
] as const;

/** Formats a time as `3 hours ago`, `last week`, or `just now` within a minute. */
export function timeAgo(then: Date, now: Date): string {
  const seconds = (now.getTime() - then.getTime()) / 1000;
  const [size, unit, one] = units.find(([each]) => seconds >= each) ?? [];
  if (!size) return "just now";
  const count = Math.floor(seconds / size);
  return count === 1 ? one : `${count} ${unit}s ago`;
}

import { useHydrated } from "../../lib/hydrated.ts";
import { timeAgo } from "../../lib/time-ago.ts";

/** A short date: in UTC on the server, in the reader's time zone after hydration. */
export function ShortDate({ iso }: { iso: string }) {
  const hydrated = useHydrated();
  const date = new Date(iso);
  return <time dateTime={iso}>{hydrated ? date.toDateString() : utcDateString(date)}</time>;
}

/** Date#toDateString in UTC: `Sat Nov 21 2026`. */
function utcDateString(date: Date): string {
  const [day, dayOfMonth, month, year] = date.toUTCString().replace(",", "").split(" ");
  return [day, month, dayOfMonth, year].join(" ");
}

export const formatLocalTime = (date: Date) => `${date.toDateString()}, ${date.toTimeString().slice(0, 5)}`;

/** The relative time; on the server the absolute one, because cached HTML may be read at any time. */
export function TimeAgo({ iso }: { iso: string }) {
  const hydrated = useHydrated();
  const date = new Date(iso);
  return (
    <time dateTime={iso} title={hydrated ? formatLocalTime(date) : undefined}>
      {hydrated ? timeAgo(date, new Date()) : `${utcDateString(date)}, ${iso.slice(11, 16)} UTC`}
    </time>
  );
}

export const ReadingTime = ({ minutes }: { minutes: number }) => (
  <span className="unbroken">{minutes} min</span>
);

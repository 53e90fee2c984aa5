import { formatLocalTime } from "./time.tsx";

/** A day and a time in the reader's time zone; for pages that are not rendered by the server, which does not know it. */
export const DateAndTime = ({ iso }: { iso: string }) => (
  <time dateTime={iso}>{formatLocalTime(new Date(iso))}</time>
);

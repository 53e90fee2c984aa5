import { localMoment } from "./time.tsx";

/** A day and a time in the reader's time zone; for pages that are not rendered by the server, which does not know it. */
export const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{localMoment(new Date(iso))}</time>;

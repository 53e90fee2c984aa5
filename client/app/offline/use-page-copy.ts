import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { useSite } from "../../lib/site.ts";

/** Milliseconds after which a page counts as read. */
const READ = 2_000;

/** Keeps each page that is read for reading offline. */
export function usePageCopy(): void {
  const { pathname, search } = useLocation();
  const { offlineReading } = useSite();
  useEffect(() => {
    if (!offlineReading || !("serviceWorker" in navigator)) return;
    const keep = () =>
      void import("./keep-page.ts").then(({ keepPage }) => keepPage()).catch(() => undefined);
    const timer = setTimeout(keep, navigator.onLine ? READ : 0);
    return () => clearTimeout(timer);
  }, [offlineReading, pathname, search]);
}

import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { useSite } from "../../lib/site.ts";

/** Milliseconds after which a page counts as read. */
const READ = 2_000;

export function usePageCopy(): void {
  const { pathname, search } = useLocation();
  const { offlineReading } = useSite();
  useEffect(() => {
    if (!offlineReading || !("serviceWorker" in navigator)) return;
    const store = () =>
      void import("./store-page.ts").then(({ storePage }) => storePage()).catch(() => undefined);
    const timer = setTimeout(store, navigator.onLine ? READ : 0);
    return () => clearTimeout(timer);
  }, [offlineReading, pathname, search]);
}

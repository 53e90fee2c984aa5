import { useOnline } from "../../lib/online.ts";
import "./offline-bar.css";

const WITH_PAGES = "Pages you have read open; everything else waits until you are back.";
const WITHOUT_PAGES = "Other pages open when you are back.";

/** Without a service worker no page opens offline. */
const hasWorker = () => Boolean(navigator.serviceWorker?.controller);

export function OfflineBar() {
  const online = useOnline();
  return (
    // Rendered even when empty, because screen readers announce only changes of an existing live region.
    <div className="offline-bar" role="status">
      {!online && <p>You are offline. {hasWorker() ? WITH_PAGES : WITHOUT_PAGES}</p>}
    </div>
  );
}

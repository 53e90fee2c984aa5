import { useOnline } from "../../lib/online.ts";
import "./offline-bar.css";

/** Says so quietly while there is no network; what has been read stays. */
export function OfflineBar() {
  const online = useOnline();
  return (
    // Always there: what appears inside is then read out.
    <div className="offline-bar" role="status">
      {!online && (
        <p>You are offline. What is on this page stays; everything else waits until you are back.</p>
      )}
    </div>
  );
}

import { useOnline } from "../../lib/online.ts";
import "./offline-bar.css";

export function OfflineBar() {
  const online = useOnline();
  return (
    // Rendered even when empty, because screen readers announce only changes of an existing live region.
    <div className="offline-bar" role="status">
      {!online && <p>You are offline. Pages you have read open; everything else waits until you are back.</p>}
    </div>
  );
}

import { useSyncExternalStore } from "react";
import { flashed } from "../../lib/flash.ts";
import "./flash-notice.css";

/** Rendered even when empty, because screen readers announce only changes of an existing live region. */
export const FlashNotice = () => (
  <p className="flash-notice" role="status">
    {useSyncExternalStore(flashed.subscribe, flashed.read, () => "")}
  </p>
);

import { useSyncExternalStore } from "react";
import { flashed } from "../../lib/flash.ts";
import "./flash-notice.css";

/** Always there, so that what comes into it is read out. */
export const FlashNotice = () => (
  <p className="flash-notice" role="status">
    {useSyncExternalStore(flashed.subscribe, flashed.read, () => "")}
  </p>
);

import { useSyncExternalStore } from "react";
import { Link } from "react-router-dom";
import { flashed, pauseFlash, resumeFlash } from "../../lib/flash.ts";
import "./flash-notice.css";

const stays = {
  onMouseEnter: pauseFlash,
  onMouseLeave: resumeFlash,
  onFocus: pauseFlash,
  onBlur: resumeFlash,
};

/** Rendered even when empty, because screen readers announce only changes of an existing live region. */
export function FlashNotice() {
  const { text, to } = useSyncExternalStore(flashed.subscribe, flashed.read, flashed.readOnServer);
  return (
    <p className="flash-notice" role="status" {...stays}>
      {to ? <Link to={to}>{text}</Link> : text}
    </p>
  );
}

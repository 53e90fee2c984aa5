import type { SaveState } from "./autosave.ts";

/** @param isStored whether the browser has a copy of what the server does not have */
export function describeState(state: SaveState, isStored: boolean): string {
  const storage = isStored
    ? "kept in this browser"
    : "this browser could not keep it, please leave this page open";
  switch (state.kind) {
    case "new":
      return "Not saved yet: nothing written";
    case "saving":
      return "Saving…";
    case "saved":
      return `Saved ${new Date(state.at).toTimeString().slice(0, 5)}`;
    case "offline":
      return `Offline: ${storage}`;
    case "signed-out":
      return `Your session has ended: ${storage}`;
    case "conflict":
      return `Not saved: changed elsewhere, ${storage}`;
    case "gone":
      return `Not saved: this draft is not on the server any more, ${storage}`;
    case "refused":
      return `Not saved: ${state.message} (${storage})`;
  }
}

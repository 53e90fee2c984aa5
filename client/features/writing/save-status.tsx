import type { SaveState } from "./autosave.ts";

export const SaveStatus = ({ state, isKept }: { state: SaveState; isKept: boolean }) => (
  <p className="save-status meta" role="status">
    {textOf(state, isKept)}
  </p>
);

function textOf(state: SaveState, isKept: boolean): string {
  const keeping = isKept
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
      return `Offline: ${keeping}`;
    case "conflict":
      return `Not saved: changed elsewhere, ${keeping}`;
    case "gone":
      return `Not saved: this draft is not on the server any more, ${keeping}`;
    case "refused":
      return `Not saved: ${state.message} (${keeping})`;
  }
}

import type { MouseEvent } from "react";
import "./draft-notice.css";

export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  const discard = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const { form } = currentTarget;
    onDiscard();
    // Discarding removes the focused button and remounts the fields: focus the first one.
    setTimeout(() => form?.querySelector<HTMLElement>(".input")?.focus());
  };
  return (
    <p className="draft-notice meta" role="status">
      What you typed before is still here.{" "}
      <button type="button" onClick={discard}>
        Discard
      </button>
    </p>
  );
}

import type { MouseEvent } from "react";
import "./draft-notice.css";

/** Says that what stands in a form was typed before. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  const discard = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const { form } = currentTarget;
    onDiscard();
    // The button goes with the notice; the fields are new.
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

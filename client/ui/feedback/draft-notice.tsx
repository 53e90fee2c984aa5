import type { MouseEvent } from "react";
import type { Draft } from "../../lib/drafts/use-draft.ts";
import "./draft-notice.css";

type Props = {
  draft: Draft;
  isRestored?: boolean;
  onDiscard?: () => void;
};

/** Says that a form was filled from a draft, or that another tab has saved a different one. */
export function DraftNotice({ draft, isRestored = draft.isRestored, onDiscard = draft.drop }: Props) {
  const focusing = (act: () => void) => (event: MouseEvent<HTMLButtonElement>) => {
    const { form } = event.currentTarget;
    act();
    // The focused button is removed and the fields are mounted again: focus the first one.
    setTimeout(() => form?.querySelector<HTMLElement>(".input")?.focus());
  };
  if (draft.other)
    return (
      <p className="draft-notice meta" role="status">
        Another tab has a different text in this form.{" "}
        <button type="button" onClick={focusing(draft.takeOther)}>
          Use that text
        </button>{" "}
        <button type="button" onClick={focusing(draft.keepOwn)}>
          Keep this one
        </button>
      </p>
    );
  if (!isRestored) return null;
  return (
    <p className="draft-notice meta" role="status">
      What you typed before is still here.{" "}
      <button type="button" onClick={focusing(onDiscard)}>
        Discard
      </button>
    </p>
  );
}

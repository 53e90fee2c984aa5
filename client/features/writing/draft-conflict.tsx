import { useMemo, useState, type ReactNode } from "react";
import { compare } from "../../lib/comparison/compare.ts";
import { newId } from "../../lib/new-id.ts";
import { messageOf } from "../../lib/forms/error-message.ts";
import { toast } from "../../lib/toast.ts";
import { TextComparison } from "../../ui/data/text-comparison.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { titleOf, type Content, type SavedDraft } from "./content.ts";
import { useSend } from "./use-autosave.ts";
import "./draft-conflict.css";

type Props = {
  mine: Content;
  theirs: SavedDraft;
  onChosen: (text: Content) => void;
};

/** Shows two texts of one draft. Neither is discarded unless the writer says so. */
export function DraftConflict({ mine, theirs, onChosen }: Props) {
  const [otherId] = useState(newId);
  const sendOther = useSend(otherId);
  const [busy, setBusy] = useState(false);
  const comparison = useMemo(() => compare(theirs, mine), [theirs, mine]);
  const keepBoth = async () => {
    setBusy(true);
    try {
      await sendOther(0, theirs);
      onChosen(mine);
    } catch (error) {
      toast.error(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <section className="draft-conflict" aria-labelledby="conflict">
      <h2 id="conflict">This draft was changed in two places</h2>
      <p>Please choose the text to go on with, or keep both: the other one becomes a draft of its own.</p>
      <section className="differences" aria-label="Differences">
        <p className="meta">
          Only in the saved text: struck through. Only in this browser’s text: underlined.
        </p>
        <TextComparison {...comparison} />
      </section>
      <div className="versions">
        <Version name="In this browser" text={mine}>
          <Button type="button" onClick={() => onChosen(mine)}>
            Keep this browser’s text
          </Button>
        </Version>
        <Version name={`Saved ${new Date(theirs.updatedAt).toLocaleString()}`} text={theirs}>
          <Button type="button" onClick={() => onChosen(theirs)}>
            Keep the saved text
          </Button>
        </Version>
      </div>
      <div>
        <Button type="button" variant="quiet" busy={busy} onClick={() => void keepBoth()}>
          Keep both
        </Button>
      </div>
    </section>
  );
}

const Version = ({ name, text, children }: { name: string; text: Content; children: ReactNode }) => (
  <section aria-label={name}>
    <p className="meta">
      {name}
      {text.category && ` · ${text.category}`}
    </p>
    <h3>{titleOf(text)}</h3>
    {/* Focusable, so that it can be scrolled by keyboard. */}
    <div className="text" tabIndex={0} role="group" aria-label={`Text: ${name}`}>
      {text.description}
    </div>
    {children}
  </section>
);

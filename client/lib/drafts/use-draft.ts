import { useEffect, useEffectEvent, useRef, useState } from "react";
import { dropDraft, readDraft, writeDraft, type Values } from "./drafts.ts";

const SAVE_DELAY_MS = 300;

export type Draft = ReturnType<typeof useDraft>;

/**
 * Stores a form's input until it is sent: it survives a reload, a closed tab and an expired session.
 * Uncontrolled fields take `values` as defaults and `round` as their key, which resets them.
 * @param owner the account id
 * @param form identifies the form and the edited object
 * @param original the fields' values without a draft
 */
export function useDraft(owner: string, form: string, original: Values = {}) {
  const [{ round, saved }, setState] = useState(() => ({ round: 0, saved: readDraft(owner, form) }));
  const unsaved = useRef<Values>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function flush(): void {
    clearTimeout(timer.current);
    const values = unsaved.current;
    if (!values) return;
    unsaved.current = null;
    const isChanged = Object.keys(values).some((name) => values[name] !== (original[name] ?? ""));
    if (isChanged) writeDraft(owner, form, values);
    else dropDraft(owner, form);
  }

  useFlushOnPageHide(flush);
  return {
    isRestored: saved !== null,
    values: { ...original, ...saved } as Values,
    round,
    flush,
    keep: (element: HTMLFormElement) => {
      unsaved.current = textsIn(element);
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, SAVE_DELAY_MS);
    },
    /** Deletes the draft after it was sent or discarded. */
    drop: () => {
      clearTimeout(timer.current);
      unsaved.current = null;
      dropDraft(owner, form);
      setState({ round: round + 1, saved: null });
    },
  };
}

function textsIn(form: HTMLFormElement): Values {
  const texts = [...new FormData(form)].filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts) as Values;
}

/** Mobile browsers kill pages without `pagehide`: a change of visibility is the last reliable event. */
function useFlushOnPageHide(flush: () => void): void {
  const onHide = useEffectEvent(flush);
  useEffect(() => {
    const hide = () => onHide();
    addEventListener("pagehide", hide);
    document.addEventListener("visibilitychange", hide);
    return () => {
      hide();
      removeEventListener("pagehide", hide);
      document.removeEventListener("visibilitychange", hide);
    };
  }, []);
}

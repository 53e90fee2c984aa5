import { useEffect, useEffectEvent, useRef, useState } from "react";
import { dropDraft, readDraft, writeDraft, type Values } from "./drafts.ts";

const PAUSE = 300;

export type Draft = ReturnType<typeof useDraft>;

/**
 * Keeps what is typed into a form until it has been sent: through a reload, a closed tab, a session that
 * ended. Fields take their first value from `values`, and a new `round` is a new key for them.
 * @param owner the account that types
 * @param form names the form, and what it changes
 * @param original what stands in the fields without a draft
 */
export function useDraft(owner: string, form: string, original: Values = {}) {
  const [{ round, kept }, setState] = useState(() => ({ round: 0, kept: readDraft(owner, form) }));
  const waiting = useRef<Values>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function flush(): void {
    clearTimeout(timer.current);
    const values = waiting.current;
    if (!values) return;
    waiting.current = null;
    const isChanged = Object.keys(values).some((name) => values[name] !== (original[name] ?? ""));
    if (isChanged) writeDraft(owner, form, values);
    else dropDraft(owner, form);
  }

  useLeaving(flush);
  return {
    isRestored: kept !== null,
    values: { ...original, ...kept } as Values,
    round,
    flush,
    keep: (element: HTMLFormElement) => {
      waiting.current = textsIn(element);
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, PAUSE);
    },
    /** Once it is sent, or not wanted any more. */
    drop: () => {
      clearTimeout(timer.current);
      waiting.current = null;
      dropDraft(owner, form);
      setState({ round: round + 1, kept: null });
    },
  };
}

function textsIn(form: HTMLFormElement): Values {
  const texts = [...new FormData(form)].filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts) as Values;
}

/** Phones end pages without a word: being hidden is the last thing that is sure to be heard. */
function useLeaving(flush: () => void): void {
  const onLeave = useEffectEvent(flush);
  useEffect(() => {
    const leave = () => onLeave();
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      leave();
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leave);
    };
  }, []);
}

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { dropDraft, readDraft, watchOtherTabs, writeDraft, type FieldValues } from "./drafts.ts";

const SAVE_DELAY_MS = 300;

export type Draft = ReturnType<typeof useDraft>;

/**
 * Stores a form's input until it is sent: it survives a reload, a closed tab and an expired session.
 * Uncontrolled fields take `values` as defaults and `round` as their key, which resets them. All tabs share the draft:
 * one without input of its own shows what another one saves, and one with input returns it as `other`.
 * @param owner the account id
 * @param form identifies the form and the edited object
 * @param original the values without a draft of the fields to store. Others, such as passwords, are never stored.
 */
export function useDraft(owner: string, form: string, original: FieldValues) {
  const [{ round, saved }, setState] = useState(() => ({ round: 0, saved: readDraft(owner, form) }));
  /** The values that another tab has saved since the user typed into this one. */
  const [other, setOther] = useState<FieldValues | null>(null);
  const own = useRef<FieldValues>(null);
  const unsaved = useRef<FieldValues>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function flush(): void {
    clearTimeout(timer.current);
    const values = unsaved.current;
    if (!values) return;
    unsaved.current = null;
    const isChanged = Object.keys(values).some(
      (name) => withLineFeeds(values[name]) !== withLineFeeds(original[name]),
    );
    if (isChanged) writeDraft(owner, form, values);
    else dropDraft(owner, form);
  }

  function restart(values: FieldValues | null): void {
    clearTimeout(timer.current);
    own.current = unsaved.current = null;
    setOther(null);
    setState({ round: round + 1, saved: values });
  }

  useOtherTabs(() => {
    const theirs = readDraft(owner, form);
    if (isEqual(theirs, own.current ?? saved)) return setOther(null);
    if (own.current) setOther(theirs);
    else restart(theirs);
  });
  useFlushOnPageHide(flush);
  return {
    isRestored: saved !== null,
    other,
    takeOther: () => restart(readDraft(owner, form)),
    keepOwn: () => {
      unsaved.current = own.current;
      setOther(null);
      flush();
    },
    values: { ...original, ...saved } as FieldValues,
    round,
    flush,
    store: (element: HTMLFormElement) => {
      own.current = unsaved.current = textsIn(element, Object.keys(original));
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, SAVE_DELAY_MS);
    },
    /** Deletes the draft after it was sent or discarded. */
    drop: () => {
      restart(null);
      dropDraft(owner, form);
    },
  };
}

function textsIn(form: HTMLFormElement, names: string[]): FieldValues {
  const texts = [...new FormData(form)].filter(([name]) => names.includes(name));
  return Object.fromEntries(texts) as FieldValues;
}

/** Text fields use LF; old rows may have CR LF. */
const withLineFeeds = (text = "") => text.replace(/\r\n?/g, "\n");

const isEqual = (one: FieldValues | null, other: FieldValues | null) =>
  JSON.stringify(one) === JSON.stringify(other);

function useOtherTabs(listener: () => void): void {
  const onChange = useEffectEvent(listener);
  useEffect(() => watchOtherTabs(() => onChange()), []);
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

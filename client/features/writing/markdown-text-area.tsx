import { useDeferredValue, useId, useRef, type ClipboardEvent, type KeyboardEvent } from "react";
import { FormatToolbar } from "./format-toolbar.tsx";
import { formats } from "./formats.ts";
import { continueItem, countWords, pasteAddress, readingMinutes, type Edit } from "./markdown-edits.ts";

type Props = { value: string; onChange: (value: string) => void };

/** The browser's own text area, so that undo, spelling and screen readers work as everywhere, with aids for Markdown. */
export function MarkdownTextArea({ value, onChange }: Props) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const selected = () => {
    const { value: text = "", selectionStart: start = 0, selectionEnd: end = 0 } = area.current ?? {};
    return { text, start, end };
  };
  const apply = (edit: Edit) => area.current && applyEdit(area.current, edit);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.shiftKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const format = isCommand && formats.find(({ key }) => key === event.key.toLowerCase());
    const edit = format
      ? format.edit(selected())
      : event.key === "Enter" && !isCommand && continueItem(selected());
    if (!edit) return;
    event.preventDefault();
    apply(edit);
  };
  const onPaste = (event: ClipboardEvent) => {
    const edit = pasteAddress(selected(), event.clipboardData.getData("text/plain"));
    if (!edit) return;
    event.preventDefault();
    apply(edit);
  };
  return (
    <div className="write">
      <FormatToolbar textId={id} onFormat={({ edit }) => apply(edit(selected()))} />
      <textarea
        id={id}
        ref={area}
        className="text"
        aria-label="Text"
        placeholder="Write here, in Markdown"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <WordCount text={value} />
    </div>
  );
}

function WordCount({ text }: { text: string }) {
  const words = countWords(useDeferredValue(text));
  return (
    <p className="meta">
      {words === 1 ? "1 word" : `${words.toLocaleString("en")} words`} · {readingMinutes(words)} min to read
    </p>
  );
}

/** Edits as if it was typed, so that the browser's undo takes it back. */
function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  if (!type(insert)) {
    area.setRangeText(insert, from, to);
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}

/** `execCommand` is obsolete, but nothing else writes to the browser's undo history. */
const type = (text: string): boolean =>
  "execCommand" in document &&
  (text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text));

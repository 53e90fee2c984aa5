import {
  useDeferredValue,
  useId,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
} from "react";
import { flushSync } from "react-dom";
import { filesIn, pictureProblem } from "../../../lib/forms/picture-file.ts";
import { toast } from "../../../lib/toast.ts";
import { FormatToolbar } from "./format-toolbar.tsx";
import { formats, type Format } from "./formats.ts";
import {
  continueItem,
  countWords,
  insertBlock,
  insertPasted,
  isInCode,
  pasteAddress,
  readingMinutes,
  type Edit,
  type TextSelection,
} from "./markdown-edits.ts";
import { markdownOf } from "./paste.ts";
import { PictureDialog } from "./picture-dialog.tsx";

type Props = {
  owner: string;
  value: string;
  onChange: (value: string) => void;
};

/** The browser's own text area, so that undo, spelling and screen readers work as everywhere, with aids for Markdown. */
export function MarkdownTextArea({ owner, value, onChange }: Props) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const pictures = usePictures();
  const selected = () => selectionIn(area.current);
  const apply = (edit: Edit) => area.current && applyEdit(area.current, edit);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.shiftKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const format = isCommand && formats.find(({ key }) => key === event.key.toLowerCase());
    const edit = format
      ? format.edit?.(selected())
      : event.key === "Enter" && !isCommand && continueItem(selected());
    if (!edit) return;
    event.preventDefault();
    apply(edit);
  };
  const onFormat = ({ edit }: Format) => {
    if (edit) return apply(edit(selected()));
    // A dialog returns the focus to where it was.
    area.current?.focus();
    pictures.add();
  };
  const takeFiles = (event: ClipboardEvent | DragEvent, transfer: DataTransfer): boolean => {
    const files = filesIn(transfer);
    if (files.length === 0) return false;
    event.preventDefault();
    // Other fields of the page take pasted pictures, too.
    event.stopPropagation();
    area.current?.focus();
    pictures.add(...files);
    return true;
  };
  const onPaste = (event: ClipboardEvent) => {
    if (takeFiles(event, event.clipboardData)) return;
    const [text, html] = ["text/plain", "text/html"].map((type) => event.clipboardData.getData(type));
    const at = selected();
    const edit = pasteAddress(at, text ?? "");
    const isFormatted = !edit && text && html && !isInCode(at);
    if (edit) apply(edit);
    else if (isFormatted) void markdownOf(html, text).then((all) => apply(insertPasted(at, selected(), all)));
    else return;
    event.preventDefault();
  };
  return (
    <div className="write">
      <FormatToolbar textId={id} onFormat={onFormat} />
      <textarea
        id={id}
        ref={area}
        className="text"
        dir="auto"
        aria-label="Text"
        placeholder="Write here, in Markdown"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onDragOver={(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()}
        onDrop={(event) => takeFiles(event, event.dataTransfer)}
      />
      {pictures.current && (
        <PictureDialog
          key={pictures.current.number}
          owner={owner}
          file={pictures.current.file}
          onUploaded={(markdown) => {
            // The text cannot be edited behind an open dialog, nor behind that of the next picture.
            flushSync(pictures.hide);
            apply(insertBlock(selected(), markdown));
            pictures.next();
          }}
          onClose={pictures.next}
        />
      )}
      <WordCount text={value} />
    </div>
  );
}

type Queued = { number: number; file?: File };

let count = 0;

/** The pictures to insert, one after the other; one without a file is chosen in the dialog. */
function usePictures() {
  const [[first], setQueue] = useState<Queued[]>([]);
  const [isHidden, setHidden] = useState(false);
  const add = (...files: File[]) => {
    const problems = files.map(pictureProblem);
    const chosen = files.filter((_, index) => problems[index] === undefined);
    for (const problem of new Set(problems)) if (problem) toast.error(problem);
    const queued = files.length === 0 ? [{}] : chosen.map((file) => ({ file }));
    setQueue((queue) => [...queue, ...queued.map((each) => ({ ...each, number: ++count }))]);
  };
  const next = () => {
    setQueue(([, ...queue]) => queue);
    setHidden(false);
  };
  return { current: isHidden ? undefined : first, add, hide: () => setHidden(true), next };
}

function WordCount({ text }: { text: string }) {
  const words = countWords(useDeferredValue(text));
  return (
    <p className="meta">
      {words === 1 ? "1 word" : `${words.toLocaleString("en")} words`} · {readingMinutes(words)} min to read
    </p>
  );
}

function selectionIn(area: HTMLTextAreaElement | null): TextSelection {
  const { value: text = "", selectionStart: start = 0, selectionEnd: end = 0 } = area ?? {};
  return { text, start, end };
}

/** Chromium inserts lines by the square of their number: a thousand take two seconds. */
const MAX_BREAKS = 300;

const breaksIn = (text: string) => text.split("\n").length - 1;

/** Edits as if it was typed, so that the browser's undo takes it back; not so a text of many lines. */
function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  if (breaksIn(insert) > MAX_BREAKS || !type(insert)) {
    area.setRangeText(insert, from, to);
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}

/** `execCommand` is obsolete, but nothing else writes to the browser's undo history. */
const type = (text: string): boolean =>
  "execCommand" in document &&
  (text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text));

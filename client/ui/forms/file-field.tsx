import { useEffect, useRef, useState, type DragEvent } from "react";
import { fileIn, PICTURE_TYPES, pictureProblem } from "../../lib/forms/picture-file.ts";
import { toast } from "../../lib/toast.ts";
import { Field } from "./field.tsx";
import "./file-field.css";

type Props = {
  label: string;
  name: string;
  error?: string;
  /** Shows the hint on hover only. */
  isBrief?: boolean;
  initial?: File;
  onChosen?: (file: File | null) => void;
};

const HINT = "Choose, drop or paste a JPEG, PNG, WebP, GIF or AVIF of at most 10 MB.";

/** Accepts a picture that is chosen, dropped or pasted, and previews it. Rejects files that the server would reject. */
export function FileField({ label, name, error, isBrief = false, initial, onChosen }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(initial ?? null);
  const [problem, setProblem] = useState<string>();
  const [isOver, setOver] = useState(false);
  useEffect(() => setInputFile(input.current, file), [file]);

  function choose(chosen: File | null): void {
    const found = chosen ? pictureProblem(chosen) : undefined;
    setProblem(found);
    if (found) {
      toast.error(found);
      return setInputFile(input.current, file);
    }
    setFile(chosen);
    onChosen?.(chosen);
  }
  useDocumentPaste((pasted) => isBehindDialog(input.current) || choose(pasted));

  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const dropped = fileIn(event.dataTransfer);
      if (dropped) choose(dropped);
    },
  };
  return (
    <Field label={label} error={problem ?? error} hint={isBrief ? undefined : HINT}>
      {(attributes) => (
        <div className="file-drop" data-over={isOver || undefined} {...drop}>
          {file && <Preview file={file} />}
          <input
            {...attributes}
            ref={input}
            className="input file"
            type="file"
            name={name}
            accept={PICTURE_TYPES}
            title={isBrief ? HINT : undefined}
            onChange={(event) => choose(event.target.files?.[0] ?? null)}
          />
        </div>
      )}
    </Field>
  );
}

function Preview({ file }: { file: File }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return <img ref={image} className="file-preview" alt="The picture you chose" />;
}

/** Sets the input's file as if the user had chosen it, so that the form submits it. */
function setInputFile(input: HTMLInputElement | null, file: File | null): void {
  if (!input || (input.files?.[0] ?? null) === file) return;
  const list = new DataTransfer();
  if (file) list.items.add(file);
  input.files = list.files;
}

const isBehindDialog = (field: Element | null) =>
  document.querySelector("dialog[open]")?.contains(field) === false;

/** Listens on the whole document, wherever the cursor is: only this field takes pictures. */
function useDocumentPaste(choose: (file: File) => unknown): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const file = event.clipboardData && fileIn(event.clipboardData);
      if (!file) return;
      event.preventDefault();
      choose(file);
    };
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  });
}

import { useEffect, useRef, useState, type DragEvent } from "react";
import { fileIn, PICTURE_TYPES, pictureProblem } from "../../lib/forms/picture-file.ts";
import { toast } from "../../lib/toast.ts";
import { Field } from "./field.tsx";
import "./file-field.css";

type Props = {
  label: string;
  name: string;
  error?: string;
  /** A picture that was chosen before. */
  initial?: File;
  onChosen?: (file: File | null) => void;
};

/**
 * Takes a picture that is chosen, dropped or pasted, and shows it before it is sent. What the server
 * would refuse is told at once and not kept.
 */
export function FileField({ label, name, error, initial, onChosen }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(initial ?? null);
  const [problem, setProblem] = useState<string>();
  const [isOver, setOver] = useState(false);
  useEffect(() => put(input.current, file), [file]);

  function choose(chosen: File | null): void {
    const found = chosen ? pictureProblem(chosen) : undefined;
    setProblem(found);
    if (found) {
      toast.error(found);
      // What was there before stays.
      return put(input.current, file);
    }
    setFile(chosen);
    onChosen?.(chosen);
  }
  usePasted(choose);

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
    <Field
      label={label}
      error={problem ?? error}
      hint="Choose, drop or paste a JPEG, PNG, WebP, GIF or AVIF of at most 10 MB."
    >
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

/** Into the input, where the form finds it as if it had been chosen there. */
function put(input: HTMLInputElement | null, file: File | null): void {
  if (!input || (input.files?.[0] ?? null) === file) return;
  const list = new DataTransfer();
  if (file) list.items.add(file);
  input.files = list.files;
}

/** Wherever the cursor is: a picture can be meant for nothing else. */
function usePasted(choose: (file: File) => void): void {
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

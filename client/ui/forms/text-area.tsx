import type { KeyboardEvent, ReactNode, TextareaHTMLAttributes } from "react";
import { Field } from "./field.tsx";
import { useLimit } from "./use-limit.ts";

type Props = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "maxLength" | "value"> & {
  label: string;
  name: string;
  /** The largest number of characters that the server accepts. */
  limit: number;
  error?: string;
  hint?: ReactNode;
};

export function TextArea({ label, error, hint, limit, className = "", ...rest }: Props) {
  const { attributes: counted, note, error: excess } = useLimit<HTMLTextAreaElement>(limit);
  return (
    <Field label={label} error={excess ?? error} hint={hint} note={note}>
      {(attributes) => (
        <textarea className={`input ${className}`} dir="auto" {...rest} {...counted} {...attributes} />
      )}
    </Field>
  );
}

/** A field for one line, which shows a long one in full. Enter submits the form, as in an `input`. */
export const AutoGrowField = (props: Props) => (
  <TextArea {...props} rows={1} className="growing" onKeyDown={submitOnEnter} />
);

function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

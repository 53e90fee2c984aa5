import { useId, type ReactNode } from "react";
import "./field.css";

type Props = {
  label: string;
  error?: string;
  hint?: ReactNode;
  /** A short remark on the input, such as a count. */
  note?: string;
  children: (attributes: { id: string; "aria-invalid"?: true; "aria-describedby"?: string }) => ReactNode;
};

export function Field({ label, error, hint, note, children }: Props) {
  const id = useId();
  const ids = { error: `${id}-error`, note: `${id}-note`, hint: `${id}-hint` };
  const described = [error && ids.error, note && ids.note, hint && ids.hint].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(error && { "aria-invalid": true }),
        ...(described && { "aria-describedby": described }),
      })}
      {error && (
        <p className="error" id={ids.error}>
          {error}
        </p>
      )}
      {note && (
        <p className="note" id={ids.note}>
          {note}
        </p>
      )}
      {hint && (
        <div className="hint" id={ids.hint}>
          {hint}
        </div>
      )}
    </div>
  );
}

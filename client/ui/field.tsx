import { useId, type ReactNode } from "react";
import "./field.css";

type Props = {
  label: string;
  /** What is wrong, said where it happened. */
  error?: string;
  hint?: ReactNode;
  children: (attributes: { id: string; "aria-invalid"?: true; "aria-describedby"?: string }) => ReactNode;
};

/** A label above its control, and the error beneath it. */
export function Field({ label, error, hint, children }: Props) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(error && { "aria-invalid": true, "aria-describedby": errorId }) })}
      {hint && <div className="hint">{hint}</div>}
      {error && (
        <p className="error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}

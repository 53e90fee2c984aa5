import type { ButtonHTMLAttributes } from "react";
import { useHydrated } from "../../lib/hydrated.ts";
import "./button.css";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** Shows a spinner instead of the label, at the same width. */
  busy?: boolean;
  variant?: "solid" | "quiet" | "danger";
};

export function Button({
  busy = false,
  variant = "solid",
  className = "",
  children,
  onClick,
  ...rest
}: Props) {
  // Before hydration the browser would submit the form natively, with a password in the URL.
  const hydrated = useHydrated();
  return (
    <button
      disabled={!hydrated}
      className={`button ${variant} ${className}`}
      aria-busy={busy || undefined}
      // Not `disabled`, which would drop the focus.
      aria-disabled={busy || undefined}
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      <span className="label">{children}</span>
      {busy && <span className="spinner" role="status" aria-label="Working" />}
    </button>
  );
}

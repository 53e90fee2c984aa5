import type { ButtonHTMLAttributes } from "react";
import { useHydrated } from "../../lib/hydrated.ts";
import "./button.css";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** While it works: the label gives way to a spinner, the width stays. */
  busy?: boolean;
  look?: "solid" | "quiet" | "danger";
};

export function Button({ busy = false, look = "solid", className = "", children, onClick, ...rest }: Props) {
  // Until the page is alive a form would be sent by the browser itself, a password in its address.
  const hydrated = useHydrated();
  return (
    <button
      disabled={!hydrated}
      className={`button ${look} ${className}`}
      aria-busy={busy || undefined}
      // Still focusable while it works: taking the focus away would lose the reader's place.
      aria-disabled={busy || undefined}
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      <span className="label">{children}</span>
      {busy && <span className="spinner" role="status" aria-label="Working" />}
    </button>
  );
}

import {
  useEffect,
  useLayoutEffect,
  useRef,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from "react";
import { CloseIcon } from "../basics/icons.tsx";
import { showToastsIn } from "../feedback/toast-host.ts";
import "./dialog.css";

type Props = { title: string; onClose: () => void; children: ReactNode };

/** A modal dialog. Closes on Escape, on a click outside and by its icon; the browser traps the focus. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    const opener = document.activeElement;
    if (opened && !opened.open) opened.showModal();
    // React removes the element before the browser can restore the focus.
    return () => void (opener instanceof HTMLElement && setTimeout(() => opener.focus()));
  }, []);
  useLayoutEffect(() => {
    if (dialog.current) showToastsIn(dialog.current);
    return () => showToastsIn(document.body);
  }, []);
  // A click on the dialog element itself is outside its content. A selection that starts inside must not close it.
  const pressedOutside = useRef(false);
  const onPointerDown = (event: PointerEvent) => {
    pressedOutside.current = event.target === dialog.current;
  };
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current && pressedOutside.current) onClose();
  };
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-label={title}
      onPointerDown={onPointerDown}
      onClick={onClick}
      onClose={onClose}
    >
      <div className="content">
        <h2>{title}</h2>
        {children}
        {/* Last, so that the first field gets the initial focus. */}
        <button type="button" className="close" aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </button>
      </div>
    </dialog>
  );
}

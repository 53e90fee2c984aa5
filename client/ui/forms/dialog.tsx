import { useEffect, useRef, type MouseEvent, type PointerEvent, type ReactNode } from "react";
import { CloseIcon } from "../basics/icons.tsx";
import "./dialog.css";

type Props = { title: string; onClose: () => void; children: ReactNode };

/**
 * A modal dialog: the browser keeps the focus inside and gives it back. Closes on Escape, on a click
 * outside and by its icon.
 */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    const opener = document.activeElement;
    if (opened && !opened.open) opened.showModal();
    // React takes the element away before the browser could give the focus back.
    return () => void (opener instanceof HTMLElement && setTimeout(() => opener.focus()));
  }, []);
  // The dialog itself is only hit beside its content. A press that began inside, selecting text, does not close it.
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
        {/* Last, so that the first field has the focus to begin with. */}
        <button type="button" className="close" aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </button>
      </div>
    </dialog>
  );
}

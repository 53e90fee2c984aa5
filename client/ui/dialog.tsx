import { useEffect, useRef, type MouseEvent, type ReactNode } from "react";
import { CloseIcon } from "./icons.tsx";
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
  const onClick = (event: MouseEvent) => {
    // The dialog itself is only hit beside its content: on the backdrop.
    if (event.target === dialog.current) onClose();
  };
  return (
    <dialog ref={dialog} className="dialog" aria-label={title} onClick={onClick} onClose={onClose}>
      <div className="content">
        <header>
          <h2>{title}</h2>
          <button type="button" className="close" aria-label="Close" onClick={onClose}>
            <CloseIcon />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

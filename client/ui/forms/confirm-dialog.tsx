import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type Props = {
  /** What would be lost, as in `Once deleted, you will not be able to recover this post!` */
  text: string;
  busy?: boolean;
  /** Is given what was typed into `children`. */
  onConfirm: (values: FormData) => void;
  onClose: () => void;
  /** Fields to be filled in before. */
  children?: ReactNode;
};

/** Asked before anything is destroyed. */
export const ConfirmDialog = ({ text, busy, onConfirm, onClose, children }: Props) => (
  <Dialog title="Are you sure?" onClose={onClose}>
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onConfirm(new FormData(event.currentTarget));
      }}
    >
      <p>{text}</p>
      {children}
      <div className="actions">
        <Button type="button" look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" busy={busy}>
          OK
        </Button>
      </div>
    </form>
  </Dialog>
);

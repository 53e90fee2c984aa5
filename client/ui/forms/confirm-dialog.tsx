import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type Props = {
  text: string;
  subject?: string;
  consequence?: string;
  busy?: boolean;
  onConfirm: (values: FormData) => void;
  onClose: () => void;
  children?: ReactNode;
};

export const ConfirmDialog = ({ text, subject, consequence, busy, onConfirm, onClose, children }: Props) => (
  <Dialog title="Are you sure?" onClose={onClose}>
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onConfirm(new FormData(event.currentTarget));
      }}
    >
      {subject && (
        <p className="subject" dir="auto">
          {subject}
        </p>
      )}
      <p>{text}</p>
      {consequence && <p className="meta">{consequence}</p>}
      {children}
      <div className="actions">
        <Button type="button" variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="danger" busy={busy}>
          OK
        </Button>
      </div>
    </form>
  </Dialog>
);

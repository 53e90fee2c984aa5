import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type Props = {
  /** What would be lost, as in `Once deleted, you will not be able to recover this post!` */
  text: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asked before anything is destroyed. */
export const ConfirmDialog = ({ text, busy, onConfirm, onClose }: Props) => (
  <Dialog title="Are you sure?" onClose={onClose}>
    <p>{text}</p>
    <div className="actions">
      <Button type="button" look="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button type="button" look="danger" busy={busy} onClick={onConfirm}>
        OK
      </Button>
    </div>
  </Dialog>
);

import { Link } from "react-router-dom";
import { Button } from "../../ui/forms/button.tsx";
import { rowNameId } from "../../ui/data/table.tsx";
import type { RowDeletion } from "./use-delete-row.tsx";

type Props = { id: string; view?: { to: string; label: string }; deleteLabel: string; removal: RowDeletion };

/** The row's name describes the buttons, whose labels are the same in every row. */
export const RowActions = ({ id, view, deleteLabel, removal }: Props) => (
  <>
    {view && (
      <Link className="button quiet" to={view.to} aria-describedby={rowNameId(id)}>
        {view.label}
      </Link>
    )}
    <Button
      type="button"
      variant="danger"
      busy={removal.isPending(id)}
      aria-describedby={rowNameId(id)}
      onClick={() => removal.open(id)}
    >
      {deleteLabel}
    </Button>
  </>
);

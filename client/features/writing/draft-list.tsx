import { useMutation } from "@apollo/client/react";
import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { draftPath } from "../../config/paths.ts";
import { DeleteDraftDocument, type DraftSummaryFragment } from "../../generated/writing/graphql.ts";
import { messageOf } from "../../lib/forms/error-message.ts";
import { toast } from "../../lib/toast.ts";
import { TimeAgo } from "../../ui/data/time.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { dropCopy, readCopies } from "./browser-copies.ts";
import { titleOf } from "./content.ts";
import "./draft-list.css";

/** A draft that only this browser has was written offline: it has no date. */
type Row = Pick<DraftSummaryFragment, "id" | "title" | "description"> &
  Partial<Pick<DraftSummaryFragment, "updatedAt" | "post">>;

const EXCERPT_LENGTH = 200;

/** @param props.isWhole whether `drafts` are all that the server has */
type Props = { owner: string; drafts: DraftSummaryFragment[]; isWhole: boolean };

export function DraftList({ owner, drafts, isWhole }: Props) {
  const [copies, setCopies] = useState(() => readCopies(owner));
  const [confirming, setConfirming] = useState<Row | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const known = new Set(drafts.map(({ id }) => id));
  const onlyHere = copies.filter(({ id, version }) => (isWhole || version === 0) && !known.has(id));
  const rows: Row[] = [...onlyHere, ...drafts];
  const remove = useRemoval((id) => {
    dropCopy(owner, id);
    setCopies(readCopies(owner));
    list.current?.focus();
  });
  return (
    <>
      {rows.length === 0 && <p className="notice">Nothing begun. A draft is saved while you write it.</p>}
      <ul className="draft-list" ref={list} tabIndex={-1} aria-label="Drafts">
        {rows.map((row) => (
          <DraftRow key={row.id} row={row} onDelete={() => setConfirming(row)} />
        ))}
      </ul>
      {confirming && (
        <ConfirmDialog
          text="Once deleted, you will not be able to recover this draft!"
          onConfirm={() => {
            setConfirming(null);
            void remove(confirming);
          }}
          onClose={() => setConfirming(null)}
        />
      )}
    </>
  );
}

const DraftRow = ({ row, onDelete }: { row: Row; onDelete: () => void }) => (
  <li>
    <h2>
      <Link to={draftPath(row.id)}>{titleOf(row)}</Link>
    </h2>
    <p className="excerpt">{row.description.slice(0, EXCERPT_LENGTH)}</p>
    <p className="meta">
      {row.updatedAt ? <TimeAgo iso={row.updatedAt} /> : "Only in this browser, not saved yet"}
      {row.post && " · changes a published post"}
    </p>
    <Button type="button" look="quiet" aria-label={`Delete draft ${titleOf(row)}`} onClick={onDelete}>
      Delete
    </Button>
  </li>
);

function useRemoval(onRemoved: (id: string) => void) {
  const [deleteDraft] = useMutation(DeleteDraftDocument, { refetchQueries: ["DraftsPage"] });
  return async ({ id, updatedAt }: Row) => {
    if (!updatedAt) return onRemoved(id);
    try {
      const { data } = await deleteDraft({
        variables: { id },
        update: (cache) => void cache.evict({ id: cache.identify({ __typename: "Draft", id }) }),
      });
      onRemoved(id);
      if (data) toast.success(data.deleteDraft.message);
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
}

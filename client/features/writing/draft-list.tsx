import { useMutation } from "@apollo/client/react";
import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { draftPath } from "../../config/paths.ts";
import { DeleteDraftDocument, type DraftSummaryFragment } from "../../generated/writing/graphql.ts";
import { flash } from "../../lib/flash.ts";
import { messageOf } from "../../lib/forms/error-message.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { toast } from "../../lib/toast.ts";
import { TimeAgo } from "../../ui/data/time.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { dropCopies, readCopies } from "./browser-copies.ts";
import { titleOf } from "./content.ts";
import { ScheduleText } from "./schedule-notice.tsx";
import { useSchedule } from "./use-schedule.ts";
import "./draft-list.css";

/** A draft that only this browser has was written offline: it has no date. */
type Row = Pick<DraftSummaryFragment, "id" | "title" | "description"> &
  Partial<Pick<DraftSummaryFragment, "updatedAt" | "post" | "version" | "publishAt" | "publishError">>;

const EXCERPT_LENGTH = 200;

/** @param props.isWhole whether `drafts` are all that the server has */
type Props = { owner: string; drafts: DraftSummaryFragment[]; isWhole: boolean };

export function DraftList({ owner, drafts, isWhole }: Props) {
  const [copies, setCopies] = useState(() => readCopies(owner));
  const [confirming, setConfirming] = useState<Row | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const saved = new Set(drafts.map(({ id }) => id));
  const onlyHere = copies.filter(({ id, version }) => (isWhole || version === 0) && !saved.has(id));
  const rows: Row[] = [...onlyHere, ...drafts];
  const remove = useRemoval((id) => {
    dropCopies(owner, id);
    setCopies(readCopies(owner));
    list.current?.focus();
  });
  return (
    <>
      {rows.length === 0 && <p className="notice">Nothing begun. A draft is saved while you write it.</p>}
      <ul className="draft-list" ref={list} tabIndex={-1} aria-label="Drafts">
        {rows.map((row) => (
          <DraftRow
            key={row.id}
            row={row}
            onDelete={() => setConfirming(row)}
            onUnscheduled={() => list.current?.focus()}
          />
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

type RowProps = { row: Row; onDelete: () => void; onUnscheduled: () => void };

const DraftRow = ({ row, onDelete, onUnscheduled }: RowProps) => (
  <li>
    <h2>
      <Link to={draftPath(row.id)} dir="auto">
        {titleOf(row)}
      </Link>
    </h2>
    <p className="excerpt" dir="auto">
      {row.description.slice(0, EXCERPT_LENGTH)}
    </p>
    <p className="meta">
      {row.updatedAt ? <TimeAgo iso={row.updatedAt} /> : "Only in this browser, not saved yet"}
      {row.post && " · changes a published post"}
    </p>
    <RowSchedule row={row} onUnscheduled={onUnscheduled} />
    <Button type="button" variant="quiet" aria-label={`Delete draft ${titleOf(row)}`} onClick={onDelete}>
      Delete
    </Button>
  </li>
);

function RowSchedule({ row, onUnscheduled }: Pick<RowProps, "row" | "onUnscheduled">) {
  const setTime = useSchedule(row.id);
  const { version = 0, publishAt = null, publishError = null } = row;
  if (!publishAt && !publishError) return null;
  const change = publishAt ? "Change the time" : "Choose another time";
  const unschedule = async () => {
    try {
      await setTime(version, null);
      flash("This draft has no time any more");
      onUnscheduled();
    } catch (error) {
      reportError(error);
    }
  };
  return (
    <div className="schedule meta">
      <p>
        <ScheduleText publishAt={publishAt} publishError={publishError} />
      </p>
      <Link
        to={draftPath(row.id)}
        state={{ startsWithTime: true }}
        aria-label={`${change} for ${titleOf(row)}`}
      >
        {change}
      </Link>
      {publishAt && (
        <button type="button" aria-label={`Unschedule ${titleOf(row)}`} onClick={() => void unschedule()}>
          Unschedule
        </button>
      )}
    </div>
  );
}

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

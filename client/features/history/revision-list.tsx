import type { RevisionSummaryFragment } from "../../generated/writing/graphql.ts";
import { DateAndTime } from "../../ui/data/date-and-time.tsx";

export type ListedRevision = {
  revision: RevisionSummaryFragment;
  /** The cursor of the revision that comes before it in the list; null for the first one. */
  after: string | null;
};

type Props = {
  revisions: ListedRevision[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
};

export const RevisionList = ({ revisions, chosenId, onChoose }: Props) => (
  <ol className="revision-list">
    {revisions.map(({ revision: { id, title, createdAt, editor } }) => (
      <li key={id}>
        <button type="button" aria-current={id === chosenId || undefined} onClick={() => onChoose(id)}>
          <DateAndTime iso={createdAt} />
          <span className="title" dir="auto">
            {title}
          </span>
          <span className="editor" dir="auto">
            {editor.username}
          </span>
        </button>
      </li>
    ))}
  </ol>
);

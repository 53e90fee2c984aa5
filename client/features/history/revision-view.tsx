import { useMutation, useQuery } from "@apollo/client/react";
import { useMemo, useState } from "react";
import { RestoreRevisionDocument, RevisionTextDocument } from "../../generated/writing/graphql.ts";
import { compare } from "../../lib/comparison/compare.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { DateAndTime } from "../../ui/data/date-and-time.tsx";
import { TextComparison } from "../../ui/data/text-comparison.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { describeComparison } from "./describe-comparison.ts";
import type { ListedRevision } from "./revision-list.tsx";

type Props = {
  postId: string;
  listed: ListedRevision;
  canRestore: boolean;
  onRestored: () => void;
  /** Called when the history has grown since it was listed. */
  onOutdated: () => void;
};

export function RevisionView({
  postId,
  listed: { revision, after },
  canRestore,
  onRestored,
  onOutdated,
}: Props) {
  const { data, loading, error, refetch } = useQuery(RevisionTextDocument, {
    variables: { id: postId, after },
    // The state of the post that is compared must be the present one.
    fetchPolicy: "no-cache",
  });
  const post = data?.post;
  const older = post?.revisions.nodes.find(({ id }) => id === revision.id);
  const comparison = useMemo(() => (older && post ? compare(older, post) : null), [older, post]);
  return (
    <section className="revision-view" aria-labelledby="revision" aria-busy={loading}>
      <h2 id="revision">
        Version of <DateAndTime iso={revision.createdAt} />
      </h2>
      {/* Rendered even when empty, because screen readers announce only changes of an existing live region. */}
      <p className="meta" role="status">
        {comparison && describeComparison(comparison)}
      </p>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {comparison && (
        <TextComparison key={revision.id} {...comparison}>
          {canRestore && <Restore id={revision.id} title={revision.title} onRestored={onRestored} />}
        </TextComparison>
      )}
      {post && !older && (
        <div className="notice">
          <p>This post has been changed meanwhile.</p>
          <Button type="button" variant="quiet" onClick={onOutdated}>
            Load its history again
          </Button>
        </div>
      )}
    </section>
  );
}

type RestoreProps = { id: string; title: string; onRestored: () => void };

function Restore({ id, title, onRestored }: RestoreProps) {
  const [isConfirming, setConfirming] = useState(false);
  const [restore, { loading }] = useMutation(RestoreRevisionDocument, { variables: { id } });
  const confirm = async () => {
    try {
      await restore();
      onRestored();
    } catch (error) {
      reportError(error);
      setConfirming(false);
    }
  };
  return (
    <>
      <Button type="button" variant="quiet" onClick={() => setConfirming(true)}>
        Restore this version
      </Button>
      {isConfirming && (
        <ConfirmDialog
          text="Readers will see this version instead of the present one."
          subject={title}
          consequence="The present version stays in the history."
          busy={loading}
          onConfirm={() => void confirm()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}

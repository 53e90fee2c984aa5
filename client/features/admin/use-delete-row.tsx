import type { TypedDocumentNode } from "@apollo/client";
import { useApolloClient, useMutation } from "@apollo/client/react";
import { useState } from "react";
import { reportError } from "../../lib/forms/report-error.ts";
import { toast } from "../../lib/toast.ts";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { describeRow } from "./describe-row.ts";
import { evictRow, type Typename } from "./evict-row.ts";

type Deletion = TypedDocumentNode<{ deleted: { id: string; message: string } }, { id: string }>;

/** Asks for confirmation and deletes a row. It disappears with the response; the refetch of the page fills the gap. */
export function useDeleteRow(typename: Typename, document: Deletion) {
  const [confirmingId, setConfirmingId] = useState<string | null>(null);
  const { cache } = useApolloClient();
  const [pending, setPending] = useState<readonly string[]>([]);
  const [remove] = useMutation(document, {
    update: (cache, { data }) => data && evictRow(cache, typename, data.deleted.id),
    refetchQueries: "active",
  });

  async function confirm(id: string): Promise<void> {
    setConfirmingId(null);
    setPending((ids) => [...ids, id]);
    try {
      const { data } = await remove({ variables: { id } });
      if (data) toast.success(data.deleted.message);
    } catch (error) {
      reportError(error);
    }
    setPending((ids) => ids.filter((each) => each !== id));
  }
  return {
    open: setConfirmingId,
    isPending: (id: string) => pending.includes(id),
    dialog: confirmingId && (
      <ConfirmDialog
        text={`Once deleted, you will not be able to recover this ${typename.toLowerCase()}!`}
        {...describeRow(cache, typename, confirmingId)}
        onConfirm={() => void confirm(confirmingId)}
        onClose={() => setConfirmingId(null)}
      />
    ),
  };
}

export type RowDeletion = ReturnType<typeof useDeleteRow>;

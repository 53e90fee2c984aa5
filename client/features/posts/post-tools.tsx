import { useApolloClient, useMutation } from "@apollo/client/react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { historyPath } from "../../config/paths.ts";
import { DeletePostDocument } from "../../generated/forms/graphql.ts";
import type { PostArticleFragment, PostRightsFragment } from "../../generated/graphql.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { toast } from "../../lib/toast.ts";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { HistoryIcon } from "../../ui/basics/history-icon.tsx";
import { IconButton } from "../../ui/basics/icon-button.tsx";
import { PencilIcon, TrashIcon } from "../../ui/basics/icons.tsx";
import { UpdatePostDialog } from "./update-post-dialog.tsx";

export type PostToolsProps = {
  post: PostArticleFragment;
  rights: PostRightsFragment;
  viewerId: string;
  /** Called after the deletion; must leave the post's page. */
  onDeleted: () => void;
};

export function PostTools({ post, rights, viewerId, onDeleted }: PostToolsProps) {
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const close = () => setOpen(null);
  const { busy, remove } = useDeletePost(post.id, onDeleted);
  return (
    <div className="tools">
      {rights.viewerCanEdit && (
        <IconButton label="Edit post" onClick={() => setOpen("edit")}>
          <PencilIcon />
        </IconButton>
      )}
      <Link className="icon-button" to={historyPath(post.id)} aria-label="History" title="History">
        <HistoryIcon />
      </Link>
      {rights.viewerCanDelete && (
        <IconButton label="Delete post" onClick={() => setOpen("delete")}>
          <TrashIcon />
        </IconButton>
      )}
      {open === "edit" && <UpdatePostDialog post={post} owner={viewerId} onClose={close} />}
      {open === "delete" && (
        <ConfirmDialog
          text="Once deleted, you will not be able to recover this post!"
          subject={post.title}
          busy={busy}
          onConfirm={() => void remove().finally(close)}
          onClose={close}
        />
      )}
    </div>
  );
}

function useDeletePost(id: string, onDeleted: () => void) {
  const { cache } = useApolloClient();
  const [deletePost, { loading }] = useMutation(DeletePostDocument, { variables: { id } });
  const remove = async () => {
    try {
      const { data } = await deletePost();
      if (!data) return;
      onDeleted();
      toast.success(data.deletePost.message);
      // Evicts after leaving the page, which would refetch the post. Lists drop the dangling reference.
      cache.evict({ id: cache.identify({ __typename: "Post", id }) });
      cache.gc();
    } catch (error) {
      reportError(error);
    }
  };
  return { busy: loading, remove };
}

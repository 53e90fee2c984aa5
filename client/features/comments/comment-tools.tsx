import { useEffect, useRef, useState } from "react";
import type { CommentItemFragment, CommentRightsFragment } from "../../generated/graphql.ts";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { IconButton } from "../../ui/basics/icon-button.tsx";
import { PencilIcon, TrashIcon } from "../../ui/basics/icons.tsx";
import { EditCommentDialog } from "./edit-comment-dialog.tsx";
import { useDeleteComment } from "./use-delete-comment.ts";

export type CommentToolsProps = {
  comment: CommentItemFragment;
  rights: CommentRightsFragment;
  postId: string;
  viewerId: string;
};

export function CommentTools({ comment, rights, postId, viewerId }: CommentToolsProps) {
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const tools = useRef<HTMLDivElement>(null);
  /** Gets the focus when the comment is gone. */
  const successor = useRef<HTMLElement>(null);
  useEffect(() => () => successor.current?.focus(), []);
  const deleteComment = useDeleteComment(comment.id, postId);
  const close = () => setOpen(null);
  const confirm = () => {
    successor.current = successorOf(tools.current);
    close();
    void deleteComment();
  };
  return (
    <div className="tools" ref={tools}>
      {rights.viewerCanEdit && (
        <IconButton label="Edit comment" onClick={() => setOpen("edit")}>
          <PencilIcon />
        </IconButton>
      )}
      {rights.viewerCanDelete && (
        <IconButton label="Delete comment" onClick={() => setOpen("delete")}>
          <TrashIcon />
        </IconButton>
      )}
      {open === "edit" && <EditCommentDialog comment={comment} owner={viewerId} onClose={close} />}
      {open === "delete" && (
        <ConfirmDialog
          text="Once deleted, you will not be able to recover this comment!"
          subject={comment.text}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </div>
  );
}

/** The next comment, else the heading of the list. */
function successorOf(within: HTMLElement | null): HTMLElement | null {
  const item = within?.closest("li");
  const next = item?.nextElementSibling ?? item?.closest("section")?.querySelector("h2");
  return next instanceof HTMLElement ? next : null;
}

import { useMutation } from "@apollo/client/react";
import { messages } from "../../config/messages.ts";
import type { CommentItemFragment } from "../../generated/graphql.ts";
import { UpdateCommentDocument } from "../../generated/forms/graphql.ts";
import { flash } from "../../lib/flash.ts";
import { useDraft } from "../../lib/drafts/use-draft.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { DraftNotice } from "../../ui/feedback/draft-notice.tsx";
import { CommentField } from "./comment-field.tsx";

const required = { text: messages.editedCommentRequired };

type Props = { comment: CommentItemFragment; owner: string; onClose: () => void };

export function EditCommentDialog({ comment, owner, onClose }: Props) {
  const [updateComment] = useMutation(UpdateCommentDocument);
  const draft = useDraft(owner, `comment ${comment.id}`, { text: comment.text });
  const { busy, errorOf, form } = useSubmit(
    required,
    async (values) => {
      await updateComment({ variables: { id: comment.id, text: textOf(values, "text") } });
      onClose();
      flash("Saved");
    },
    { draft },
  );
  return (
    <Dialog title="Edit Comment" onClose={onClose}>
      <form className="form" {...form}>
        <DraftNotice draft={draft} />
        <CommentField key={draft.round} label="Comment" draft={draft} error={errorOf("text")} />
        <div className="actions">
          <Button busy={busy}>Edit Comment</Button>
        </div>
      </form>
    </Dialog>
  );
}

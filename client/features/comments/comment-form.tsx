import { useRef } from "react";
import { messages } from "../../config/messages.ts";
import { useAfterLogin } from "../../lib/after-login.ts";
import { useDraft } from "../../lib/drafts/use-draft.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { Button } from "../../ui/forms/button.tsx";
import { DraftNotice } from "../../ui/feedback/draft-notice.tsx";
import { CommentField } from "./comment-field.tsx";
import { useCreateComment } from "./use-create-comment.ts";

const required = { text: messages.commentRequired };

export type CommentFormProps = {
  postId: string;
  owner: string;
  onCreated: (id: string) => void;
};

export function CommentForm({ postId, owner, onCreated }: CommentFormProps) {
  const createComment = useCreateComment(postId);
  const draft = useDraft(owner, `comment on ${postId}`, { text: "" });
  const { busy, errorOf, form } = useSubmit(
    required,
    async (values) => {
      const { data } = await createComment(textOf(values, "text"));
      if (data) onCreated(data.createComment.id);
    },
    { draft },
  );
  const element = useRef<HTMLFormElement>(null);
  useAfterLogin("comment", true, () => element.current?.querySelector("textarea")?.focus());
  return (
    <form className="comment-form form" ref={element} {...form}>
      <DraftNotice draft={draft} />
      <CommentField key={draft.round} label="Add a comment" draft={draft} error={errorOf("text")} />
      <div>
        <Button busy={busy}>Comment</Button>
      </div>
    </form>
  );
}

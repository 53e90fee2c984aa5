import { useState, type FormEvent } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths.ts";
import { toast } from "../../lib/toast.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useCreateComment } from "./use-create-comment.ts";

const EMPTY = "Pleace write something";

export function CommentForm({ postId }: { postId: string }) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const { loading, createComment } = useCreateComment(postId);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const written = text.trim();
    setError(written ? undefined : EMPTY);
    if (!written) toast.error(EMPTY);
    else if (await createComment(written)) setText("");
  }

  return (
    <form className="comment-form form" onSubmit={(event) => void submit(event)} noValidate>
      <Field label="Add a comment" error={error}>
        {(attributes) => (
          <textarea
            {...attributes}
            className="input"
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button busy={loading}>Comment</Button>
      </div>
    </form>
  );
}

export const CommentInvitation = () => (
  <p className="comment-invitation">
    <Link to={paths.login}>to write a comment you should login first</Link>
  </p>
);

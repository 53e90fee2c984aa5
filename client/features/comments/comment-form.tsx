import { useState } from "react";
import { Link } from "react-router-dom";
import { paths, postPath } from "../../app/paths.ts";
import { productWords } from "../../app/product-words.ts";
import { textOf, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useCreateComment } from "./use-create-comment.ts";

const required = { text: productWords.commentRequired };

export function CommentForm({ postId }: { postId: string }) {
  const [text, setText] = useState("");
  const createComment = useCreateComment(postId);
  const { busy, errorOf, form } = useSubmit(required, async (values) => {
    await createComment(textOf(values, "text"));
    setText("");
  });
  return (
    <form className="comment-form form" {...form}>
      <Field label="Add a comment" error={errorOf("text")}>
        {(attributes) => (
          <textarea
            {...attributes}
            className="input"
            name="text"
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button busy={busy}>Comment</Button>
      </div>
    </form>
  );
}

export const CommentInvitation = ({ postId }: { postId: string }) => (
  <p className="comment-invitation">
    <Link to={paths.login} state={{ from: postPath(postId) }}>
      {productWords.loginToComment}
    </Link>
  </p>
);

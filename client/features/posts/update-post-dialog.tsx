import { useMutation } from "@apollo/client/react";
import { UpdatePostDocument, type PostArticleFragment } from "../../generated/graphql.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DraftNotice } from "../../ui/draft-notice.tsx";
import { PostFields, postInputOf, requiredOfPosts } from "./post-fields.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";

type Props = { post: PostArticleFragment; owner: string; onClose: () => void };

export function UpdatePostDialog({ post, owner, onClose }: Props) {
  const [updatePost] = useMutation(UpdatePostDocument);
  const { title, category, description } = post;
  const draft = useDraft(owner, `post ${post.id}`, { title, category, description });
  const { busy, failure, errorOf, form } = useSubmit(
    requiredOfPosts,
    async (values) => {
      await updatePost({ variables: { id: post.id, input: postInputOf(values) } });
      onClose();
    },
    draft,
  );
  return (
    <Dialog title="Update Post" onClose={onClose}>
      <form className="form" {...form}>
        {draft.isRestored && <DraftNotice onDiscard={draft.drop} />}
        <PostFields key={draft.round} values={draft.values} errorOf={errorOf} />
        <FormFailure message={failure} />
        <div className="actions">
          <Button busy={busy}>Update Post</Button>
        </div>
      </form>
    </Dialog>
  );
}

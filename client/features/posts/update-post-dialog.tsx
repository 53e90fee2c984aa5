import { useMutation, useQuery } from "@apollo/client/react";
import {
  PostSourceDocument,
  UpdatePostDocument,
  type PostSourceQuery,
} from "../../generated/forms/graphql.ts";
import type { PostArticleFragment } from "../../generated/graphql.ts";
import { Link } from "react-router-dom";
import { editPostPath } from "../../config/paths.ts";
import { flash } from "../../lib/flash.ts";
import { useDraft } from "../../lib/drafts/use-draft.ts";
import { textOfTags } from "../../lib/forms/tag-names.ts";
import { useSubmit } from "../../lib/forms/use-submit.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { DraftNotice } from "../../ui/feedback/draft-notice.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { PostFields, postInputOf, requiredOfPosts } from "./post-fields.tsx";

type Props = { post: PostArticleFragment; owner: string; onClose: () => void };

/** Queries the post's Markdown source: readers' pages contain only the HTML. */
export function UpdatePostDialog({ post, owner, onClose }: Props) {
  const { data, error, refetch } = useQuery(PostSourceDocument, { variables: { id: post.id } });
  return (
    <Dialog title="Update Post" onClose={onClose}>
      {data?.post ? (
        <UpdatePostForm post={data.post} owner={owner} onClose={onClose} />
      ) : error ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : (
        <div className="skeleton line" aria-busy="true" aria-label="Loading post" />
      )}
    </Dialog>
  );
}

type FormProps = Omit<Props, "post"> & { post: NonNullable<PostSourceQuery["post"]> };

function UpdatePostForm({ post, owner, onClose }: FormProps) {
  const [updatePost] = useMutation(UpdatePostDocument);
  const { title, category, description } = post;
  const tags = textOfTags(post.tags.map(({ name }) => name));
  const draft = useDraft(owner, `post ${post.id}`, { title, category, tags, description });
  const { busy, errorOf, form } = useSubmit(
    requiredOfPosts,
    async (values) => {
      await updatePost({ variables: { id: post.id, input: postInputOf(values) } });
      onClose();
      flash("Saved");
    },
    { draft },
  );
  return (
    <form className="form" {...form}>
      <DraftNotice draft={draft} />
      <PostFields growingTitle key={draft.round} values={draft.values} errorOf={errorOf} />
      <div className="actions">
        <Button busy={busy}>Update Post</Button>
        <Link to={editPostPath(post.id)}>Edit in full page</Link>
      </div>
    </form>
  );
}

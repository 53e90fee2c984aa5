import { useMutation } from "@apollo/client/react";
import { DeleteCommentDocument } from "../../generated/forms/graphql.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { toast } from "../../lib/toast.ts";

/** Deletes optimistically; if the server refuses, the comment is restored and a toast shows the reason. */
export function useDeleteComment(id: string, postId: string) {
  const [deleteComment] = useMutation(DeleteCommentDocument, {
    variables: { id },
    optimisticResponse: { __typename: "Mutation", deleteComment: { __typename: "Deleted", id, message: "" } },
    update: (cache) => {
      cache.evict({ id: cache.identify({ __typename: "Comment", id }) });
      cache.modify<{ commentCount: number }>({
        id: cache.identify({ __typename: "Post", id: postId }),
        fields: { commentCount: (count) => count - 1 },
      });
    },
  });
  return async (): Promise<void> => {
    try {
      const { data } = await deleteComment();
      if (data) toast.success(data.deleteComment.message);
    } catch (error) {
      reportError(error);
    }
  };
}

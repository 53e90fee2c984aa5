import type { Reference } from "@apollo/client";
import { useMutation } from "@apollo/client/react";
import { CreateCommentDocument } from "../../generated/graphql.ts";
import { messageOf } from "../../lib/error-message.ts";
import { toast } from "../../lib/toast.ts";

type Comments = { nodes: readonly Reference[] };

/** @returns whether it was written; if not, the server's message has been shown */
export function useCreateComment(postId: string) {
  const [createComment, { loading }] = useMutation(CreateCommentDocument, {
    // The count comes with the answer; the list of the post learns of its new last entry.
    update: (cache, { data }) => {
      const comment = data && cache.identify(data.createComment);
      if (!comment) return;
      cache.modify({
        id: cache.identify({ __typename: "Post", id: postId }),
        fields: {
          comments: (list: Comments | Reference) =>
            "nodes" in list ? { ...list, nodes: [...list.nodes, { __ref: comment }] } : list,
        },
      });
    },
  });
  return {
    loading,
    createComment: async (text: string): Promise<boolean> => {
      try {
        await createComment({ variables: { postId, text } });
        return true;
      } catch (error) {
        toast.error(messageOf(error));
        return false;
      }
    },
  };
}

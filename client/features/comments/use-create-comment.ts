import type { Reference } from "@apollo/client";
import { useMutation } from "@apollo/client/react";
import { CreateCommentDocument } from "../../generated/graphql.ts";

type Comments = { nodes: readonly Reference[]; pageInfo?: { hasNextPage: boolean } };

/** @throws what the server answers */
export function useCreateComment(postId: string) {
  const [createComment] = useMutation(CreateCommentDocument, {
    // The count comes with the answer; the list of the post, once shown to its end, learns of its new last entry.
    update: (cache, { data }) => {
      const comment = data && cache.identify(data.createComment);
      if (!comment) return;
      cache.modify({
        id: cache.identify({ __typename: "Post", id: postId }),
        fields: {
          comments: (list: Comments | Reference) =>
            "nodes" in list && !list.pageInfo?.hasNextPage
              ? { ...list, nodes: [...list.nodes, { __ref: comment }] }
              : list,
        },
      });
    },
  });
  return (text: string) => createComment({ variables: { postId, text } });
}

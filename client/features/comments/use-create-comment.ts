import type { Reference } from "@apollo/client";
import { useMutation } from "@apollo/client/react";
import { CreateCommentDocument } from "../../generated/forms/graphql.ts";

type Comments = { nodes: readonly Reference[]; pageInfo?: { hasNextPage: boolean } };

/** @throws the server's error */
export function useCreateComment(postId: string) {
  const [createComment] = useMutation(CreateCommentDocument, {
    // The response updates the count. The new comment is appended only if the list is loaded to its end.
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

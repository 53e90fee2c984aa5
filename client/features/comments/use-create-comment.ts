import type { Reference } from "@apollo/client";
import { useMutation } from "@apollo/client/react";
import { useRef } from "react";
import { CreateCommentDocument } from "../../generated/forms/graphql.ts";
import { newId } from "../../lib/new-id.ts";

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
  // Browsers repeat a request whose connection was lost, and people one without an answer: the server stores it once.
  const attempt = useRef({ text: "", key: "" });
  return async (text: string) => {
    if (attempt.current.text !== text) attempt.current = { text, key: newId() };
    const headers = { "idempotency-key": attempt.current.key };
    const created = await createComment({ variables: { postId, text }, context: { headers } });
    attempt.current = { text: "", key: "" };
    return created;
  };
}

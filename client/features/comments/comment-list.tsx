import { useApolloClient } from "@apollo/client/react";
import { MoreCommentsDocument, type CommentListFragment } from "../../generated/graphql.ts";
import { MoreButton } from "../../ui/more-button.tsx";
import { CommentItem } from "./comment-item.tsx";
import "./comments.css";

/** Oldest first; long talks continue on demand. */
export function CommentList({ post }: { post: CommentListFragment }) {
  const client = useApolloClient();
  const { nodes, pageInfo } = post.comments;
  const variables = { id: post.id, commentsAfter: pageInfo.endCursor };
  // The cache joins what comes behind a cursor to the list that is shown.
  const loadMore = () =>
    client.query({ query: MoreCommentsDocument, variables, fetchPolicy: "network-only" });
  return (
    <>
      <h2>{post.commentCount} Comments</h2>
      <ol className="comment-list">
        {nodes.map((comment) => (
          <CommentItem key={comment.id} comment={comment} />
        ))}
      </ol>
      {pageInfo.hasNextPage && <MoreButton label="Show more comments" load={loadMore} />}
    </>
  );
}

import { useApolloClient } from "@apollo/client/react";
import {
  MoreCommentsDocument,
  type CommentListFragment,
  type CommentRightsFragment,
} from "../../generated/graphql.ts";
import { MoreButton } from "../../ui/data/more-button.tsx";
import { CommentItem } from "./comment-item.tsx";
import "./comments.css";

type Props = {
  post: CommentListFragment;
  /** The viewer's permissions by comment; undefined for visitors. */
  rights?: CommentRightsFragment[];
  viewerId?: string;
  /** A comment just created: it is scrolled to and announced. */
  newId?: string;
};

export function CommentList({ post, rights, viewerId, newId }: Props) {
  const client = useApolloClient();
  const { nodes, pageInfo } = post.comments;
  const variables = { id: post.id, commentsAfter: pageInfo.endCursor };
  const loadMore = () =>
    client.query({ query: MoreCommentsDocument, variables, fetchPolicy: "network-only" });
  return (
    <>
      <h2 tabIndex={-1}>{post.commentCount} Comments</h2>
      {post.commentCount === 0 && <p className="no-comments">Nobody has written one yet. Be the first.</p>}
      <p role="status" className="visually-hidden">
        {newId && <span key={newId}>Your comment is published</span>}
      </p>
      <ol className="comment-list">
        {nodes.map((comment) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            postId={post.id}
            rights={rights?.find(({ id }) => id === comment.id)}
            viewerId={viewerId}
            isNew={comment.id === newId}
          />
        ))}
      </ol>
      {pageInfo.hasNextPage && <MoreButton label="Show more comments" load={loadMore} />}
    </>
  );
}

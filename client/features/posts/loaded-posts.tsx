import type { ErrorLike } from "@apollo/client";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import type { PostCardFragment } from "../../generated/graphql.ts";
import { MoreButton } from "../../ui/data/more-button.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { PostList } from "./post-list.tsx";
import { PostListSkeleton } from "./post-skeletons.tsx";

type Connection<Post> = {
  nodes: Post[];
  pageInfo: { endCursor?: string | null; hasNextPage: boolean };
};

type Result = {
  error?: ErrorLike;
  refetch: () => Promise<unknown>;
  fetchMore: (options: { variables: { after?: string | null } }) => Promise<unknown>;
};

type Props<Post> = {
  result: Result;
  posts: Connection<Post> | undefined;
  order: string;
  empty: string;
  tools?: (post: Post) => ReactNode;
};

/** A list of posts that is read in parts: its skeleton, its error with Retry, its posts and ‘More’. */
export function LoadedPosts<Post extends PostCardFragment>({
  result: { error, refetch, fetchMore },
  posts,
  order,
  empty,
  tools,
}: Props<Post>) {
  if (error && !posts) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!posts) return <PostListSkeleton />;
  const { endCursor: after, hasNextPage } = posts.pageInfo;
  return (
    <section aria-label="Posts" className="page-list">
      <h2 className="visually-hidden">{order}</h2>
      <PostList posts={posts.nodes} tools={tools} />
      {posts.nodes.length === 0 && (
        <p className="notice">
          {empty} <Link to={paths.posts}>See the posts</Link>
        </p>
      )}
      {hasNextPage && <MoreButton load={() => fetchMore({ variables: { after } })} />}
    </section>
  );
}

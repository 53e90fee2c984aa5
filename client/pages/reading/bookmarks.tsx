import { useQuery } from "@apollo/client/react";
import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { UsersOnly } from "../../features/accounts/users-only.tsx";
import { PostList } from "../../features/posts/post-list.tsx";
import { PostListSkeleton } from "../../features/posts/post-skeletons.tsx";
import { BookmarksPageDocument } from "../../generated/reading/graphql.ts";
import { PageHead } from "../../ui/basics/page-head.tsx";
import { MoreButton } from "../../ui/data/more-button.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";

export const BookmarksPage = () => (
  <>
    <PageHead title="Your bookmarks" />
    <UsersOnly>{() => <Bookmarks />}</UsersOnly>
  </>
);

function Bookmarks() {
  const { data, error, refetch, fetchMore } = useQuery(BookmarksPageDocument);
  const posts = data?.viewer?.bookmarks;
  if (error && !posts) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!posts) return <PostListSkeleton />;
  const { endCursor: after, hasNextPage } = posts.pageInfo;
  return (
    <section aria-label="Posts" className="page-list">
      <h2 className="visually-hidden">Saved last first</h2>
      <PostList posts={posts.nodes} />
      {posts.nodes.length === 0 && (
        <p className="notice">
          Nothing saved. ‘Save’ below a post keeps it here to read later.{" "}
          <Link to={paths.posts}>See the posts</Link>
        </p>
      )}
      {hasNextPage && <MoreButton load={() => fetchMore({ variables: { after } })} />}
    </section>
  );
}

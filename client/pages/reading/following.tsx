import { useQuery } from "@apollo/client/react";
import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { UsersOnly } from "../../features/accounts/users-only.tsx";
import { PostList } from "../../features/posts/post-list.tsx";
import { PostListSkeleton } from "../../features/posts/post-skeletons.tsx";
import { PostTabs } from "../../features/posts/post-tabs.tsx";
import { FollowingPageDocument } from "../../generated/reading/graphql.ts";
import { MoreButton } from "../../ui/data/more-button.tsx";
import { PageTitle } from "../../ui/basics/page-title.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import "../../ui/basics/columns.css";

export const FollowingPage = () => (
  <>
    <PageTitle name="Following" />
    <header className="page-head">
      <h1>Following</h1>
      <PostTabs />
    </header>
    <UsersOnly>{() => <FollowedPosts />}</UsersOnly>
  </>
);

function FollowedPosts() {
  const { data, error, refetch, fetchMore } = useQuery(FollowingPageDocument);
  const posts = data?.viewer?.followed;
  if (error && !posts) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!posts) return <PostListSkeleton />;
  const { endCursor: after, hasNextPage } = posts.pageInfo;
  return (
    <section aria-label="Posts" className="page-list">
      <h2 className="visually-hidden">Newest first</h2>
      <PostList posts={posts.nodes} />
      {posts.nodes.length === 0 && (
        <p className="notice">
          Nothing yet. ‘Follow’ on the page of an author, a category or a tag shows its posts here.{" "}
          <Link to={paths.posts}>See the posts</Link>
        </p>
      )}
      {hasNextPage && <MoreButton load={() => fetchMore({ variables: { after } })} />}
    </section>
  );
}

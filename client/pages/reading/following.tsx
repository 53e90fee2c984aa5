import "../../features/likes/like-button.css";
import { useQuery } from "@apollo/client/react";
import { UsersOnly } from "../../features/accounts/users-only.tsx";
import { LoadedPosts } from "../../features/posts/loaded-posts.tsx";
import { PostTabs } from "../../features/posts/post-tabs.tsx";
import { FollowingPageDocument } from "../../generated/reading/graphql.ts";
import { PageTitle } from "../../ui/basics/page-title.tsx";
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
  const result = useQuery(FollowingPageDocument);
  return (
    <LoadedPosts
      result={result}
      posts={result.data?.viewer?.followed}
      order="Newest first"
      empty="Nothing yet. ‘Follow’ on the page of an author, a category or a tag shows its posts here."
    />
  );
}

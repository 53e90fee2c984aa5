import "../../features/likes/like-button.css";
import { useQuery } from "@apollo/client/react";
import { UsersOnly } from "../../features/accounts/users-only.tsx";
import { BookmarkButton } from "../../features/bookmarks/bookmark-button.tsx";
import { LoadedPosts } from "../../features/posts/loaded-posts.tsx";
import { BookmarksPageDocument } from "../../generated/reading/graphql.ts";
import { PageHead } from "../../ui/basics/page-head.tsx";

export const BookmarksPage = () => (
  <>
    <PageHead title="Your bookmarks" />
    <UsersOnly>{() => <Bookmarks />}</UsersOnly>
  </>
);

function Bookmarks() {
  const result = useQuery(BookmarksPageDocument);
  return (
    <LoadedPosts
      result={result}
      posts={result.data?.viewer?.bookmarks}
      order="Saved last first"
      // A post that is removed stays until the next visit, and the same button saves it again.
      tools={(post) => <BookmarkButton post={post} label={`Save ${post.title}`} />}
      empty="Nothing saved. ‘Save’ below a post keeps it here to read later."
    />
  );
}

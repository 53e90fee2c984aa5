import { useQuery } from "@apollo/client/react";
import { Link, useSearchParams } from "react-router-dom";
import { paths, postsPath } from "../config/paths.ts";
import { WriteLink } from "../features/accounts/write-link.tsx";
import { CategoryList } from "../features/categories/category-list.tsx";
import { PostList } from "../features/posts/post-list.tsx";
import { PostListSkeleton } from "../features/posts/post-skeletons.tsx";
import { PostTabs } from "../features/posts/post-tabs.tsx";
import { PostsPageDocument } from "../generated/lists/graphql.ts";
import { parsePage } from "../lib/parse-page.ts";
import { useSite } from "../lib/site.ts";
import { ErrorNotice } from "../ui/feedback/error-notice.tsx";
import { PageTitle } from "../ui/basics/page-title.tsx";
import { Pager } from "../ui/data/pager.tsx";
import "../ui/basics/columns.css";

export function PostsPage() {
  const [search] = useSearchParams();
  const page = parsePage(search.get("page"));
  const { data, previousData, error, refetch } = useQuery(PostsPageDocument, { variables: { page } });
  const isMissing = page > 1 && data?.posts.nodes.length === 0;
  const { reportStatus } = useSite();
  if (isMissing) reportStatus(404);
  const shown = data ?? previousData;
  return (
    <>
      <PageTitle
        name={page > 1 ? `Posts, page ${page}` : "Posts"}
        description="Every post, newest first."
        path={isMissing ? undefined : postsPath(page)}
        feedsOf=""
      />
      <header className="page-head">
        <h1>Posts</h1>
        <PostTabs />
      </header>
      <div className="columns">
        <section aria-labelledby="newest">
          <h2 id="newest" className="visually-hidden">
            Newest first
          </h2>
          {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
          {!data && !error && <PostListSkeleton />}
          {data && <PostList posts={data.posts.nodes} />}
          {data?.posts.nodes.length === 0 && <NothingHere page={page} />}
          {data && <Pager page={page} pages={data.posts.pages} pathOf={postsPath} />}
        </section>
        {shown && <CategoryList shown={shown} />}
      </div>
    </>
  );
}

const NothingHere = ({ page }: { page: number }) => (
  <p className="notice">
    {page > 1 ? (
      <>
        There are no posts on this page. <Link to={paths.posts}>Back to the first</Link>
      </>
    ) : (
      <>
        Nobody has written anything yet. <WriteLink>Write the first post</WriteLink>
      </>
    )}
  </p>
);

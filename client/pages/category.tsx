import { useQuery } from "@apollo/client/react";
import { Link, useParams } from "react-router-dom";
import { categoryPath, paths } from "../config/paths.ts";
import { useSession } from "../features/accounts/session.ts";
import { CategoryList, hasMore } from "../features/categories/category-list.tsx";
import { Follow } from "../features/following/follow.tsx";
import { PostList } from "../features/posts/post-list.tsx";
import { PostListSkeleton } from "../features/posts/post-skeletons.tsx";
import { AllCategoriesDocument, CategoryPageDocument } from "../generated/lists/graphql.ts";
import { ErrorNotice } from "../ui/feedback/error-notice.tsx";
import { MoreButton } from "../ui/data/more-button.tsx";
import { PageTitle } from "../ui/basics/page-title.tsx";
import "../ui/basics/columns.css";

export function CategoryPage() {
  const { category = "" } = useParams();
  const { data, error, refetch, fetchMore } = useQuery(CategoryPageDocument, { variables: { category } });
  const posts = data?.posts;
  const isCurrent = ({ title }: { title: string }) => title === category;
  const isHidden = data !== undefined && hasMore(data) && !data.categories.some(isCurrent);
  const { data: all } = useQuery(AllCategoriesDocument, { skip: !isHidden, ssr: false });
  const shown = all ?? data;
  const id = shown?.categories.find(isCurrent)?.id;
  const isSignedIn = useSession() !== null;
  return (
    <>
      <PageTitle
        name={category}
        description={`Posts based on ${category}.`}
        {...(posts?.nodes.length !== 0 && { path: categoryPath(category), feedsOf: categoryPath(category) })}
      />
      <header className="page-head">
        {posts?.nodes.length !== 0 && (
          <h1>
            Posts based on <bdi>{category}</bdi>
          </h1>
        )}
        {id && <Follow key={id} id={id} name={category} isSignedIn={isSignedIn} />}
      </header>
      <div className="columns">
        <section aria-label="Posts">
          {posts?.nodes.length !== 0 && <h2 className="visually-hidden">Newest first</h2>}
          {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
          {!data && !error && <PostListSkeleton />}
          {posts && <PostList posts={posts.nodes} />}
          {posts?.nodes.length === 0 && <NoPosts category={category} />}
          {posts?.pageInfo.hasNextPage && (
            <MoreButton load={() => fetchMore({ variables: { after: posts.pageInfo.endCursor } })} />
          )}
        </section>
        {shown && <CategoryList shown={shown} current={category} />}
      </div>
    </>
  );
}

const NoPosts = ({ category }: { category: string }) => (
  <div className="notice">
    <h1>
      Posts with <bdi>{category}</bdi> category not found
    </h1>
    <Link to={paths.posts}>Go to posts Page</Link>
  </div>
);

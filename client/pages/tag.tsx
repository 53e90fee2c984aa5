import { useQuery } from "@apollo/client/react";
import { useParams } from "react-router-dom";
import { tagPath } from "../config/paths.ts";
import { useSession } from "../features/accounts/session.ts";
import { CategoryList } from "../features/categories/category-list.tsx";
import { Follow } from "../features/following/follow.tsx";
import { PostList } from "../features/posts/post-list.tsx";
import { PostListSkeleton } from "../features/posts/post-skeletons.tsx";
import { TagPageDocument, type TagPageQuery } from "../generated/lists/graphql.ts";
import { PageTitle } from "../ui/basics/page-title.tsx";
import { MoreButton } from "../ui/data/more-button.tsx";
import { ErrorNotice } from "../ui/feedback/error-notice.tsx";
import { NotFound } from "../ui/feedback/not-found.tsx";
import "../ui/basics/columns.css";

export function TagPage() {
  const { tag = "" } = useParams();
  const { data, error, refetch, fetchMore } = useQuery(TagPageDocument, { variables: { tag } });
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (data?.tag === null) return <NotFound message="tag not found" />;
  const more = () => fetchMore({ variables: { after: data?.posts.pageInfo.endCursor } });
  return (
    <>
      <TagHead name={data?.tag?.name ?? tag} id={data?.tag?.id} />
      <div className="columns">
        <section aria-label="Posts">
          <h2 className="visually-hidden">Newest first</h2>
          {data ? <Posts posts={data.posts} more={more} /> : <PostListSkeleton />}
        </section>
        {data && <CategoryList shown={data} />}
      </div>
    </>
  );
}

function TagHead({ name, id }: { name: string; id: string | undefined }) {
  const isSignedIn = useSession() !== null;
  return (
    <>
      <PageTitle
        name={name}
        description={`Posts tagged ${name}.`}
        path={tagPath(name)}
        feedsOf={tagPath(name)}
      />
      <header className="page-head">
        <h1>
          Posts tagged <bdi>{name}</bdi>
        </h1>
        {id && <Follow key={id} id={id} name={name} isSignedIn={isSignedIn} />}
      </header>
    </>
  );
}

const Posts = ({ posts, more }: { posts: TagPageQuery["posts"]; more: () => Promise<unknown> }) => (
  <>
    <PostList posts={posts.nodes} />
    {posts.pageInfo.hasNextPage && <MoreButton load={more} />}
  </>
);

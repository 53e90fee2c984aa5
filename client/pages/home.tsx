import { useQuery } from "@apollo/client/react";
import { Link } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { WriteLink } from "../features/accounts/write-link.tsx";
import { CategoryList } from "../features/categories/category-list.tsx";
import { PostCard } from "../features/posts/post-card.tsx";
import { PostCardSkeleton } from "../features/posts/post-skeletons.tsx";
import { HomePageDocument, type PostCardFragment } from "../generated/lists/graphql.ts";
import { ErrorNotice } from "../ui/feedback/error-notice.tsx";
import { PageTitle } from "../ui/basics/page-title.tsx";
import "../ui/basics/columns.css";
import "./home.css";

export function HomePage() {
  const { data, error, refetch } = useQuery(HomePageDocument);
  return (
    <>
      <PageTitle description="The latest posts, by the people who write here." path={paths.home} feedsOf="" />
      <section className="welcome">
        <h1>Welcome to Blog</h1>
        <p>Read what people here have to say, and say something yourself.</p>
      </section>
      <div className="columns">
        <section aria-labelledby="latest">
          <h2 id="latest" className="latest-title">
            Latest Posts
          </h2>
          {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
          {!data && !error && <LatestSkeleton />}
          {data && <LatestPosts posts={data.posts.nodes} />}
        </section>
        {data && <CategoryList shown={data} />}
      </div>
    </>
  );
}

const LatestSkeleton = () => (
  <div aria-busy="true" aria-label="Loading posts">
    <PostCardSkeleton variant="lead" />
    <div className="tiles">
      <PostCardSkeleton variant="tile" />
      <PostCardSkeleton variant="tile" />
    </div>
  </div>
);

function LatestPosts({ posts }: { posts: PostCardFragment[] }) {
  const [lead, ...others] = posts;
  if (!lead)
    return (
      <p className="notice">
        Nobody has written anything yet. <WriteLink>Write the first post</WriteLink>
      </p>
    );
  return (
    <>
      <PostCard post={lead} variant="lead" eager />
      <div className="tiles">
        {others.map((post) => (
          <PostCard key={post.id} post={post} variant="tile" />
        ))}
      </div>
      <p className="see-all">
        <Link to={paths.posts}>See All Posts</Link>
      </p>
    </>
  );
}

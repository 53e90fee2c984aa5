import type { PostCardFragment } from "../../generated/graphql.ts";
import { PostCard } from "./post-card.tsx";

export const PostList = ({ posts }: { posts: PostCardFragment[] }) => (
  <div className="post-list">
    {posts.map((post, index) => (
      <PostCard key={post.id} post={post} eager={index === 0} />
    ))}
  </div>
);

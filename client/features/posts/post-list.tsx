import type { ReactNode } from "react";
import type { PostCardFragment } from "../../generated/graphql.ts";
import { PostCard } from "./post-card.tsx";

type Props<Post> = { posts: Post[]; tools?: ((post: Post) => ReactNode) | undefined };

export const PostList = <Post extends PostCardFragment>({ posts, tools }: Props<Post>) => (
  <div className="post-list">
    {posts.map((post, index) => (
      <PostCard key={post.id} post={post} eager={index === 0} tools={tools?.(post)} />
    ))}
  </div>
);

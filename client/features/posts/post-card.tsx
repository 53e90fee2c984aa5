import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { categoryPath, postPath, profilePath } from "../../config/paths.ts";
import type { PostCardFragment } from "../../generated/graphql.ts";
import { Picture } from "../../ui/basics/picture.tsx";
import { ReadingTime, ShortDate } from "../../ui/data/time.tsx";
import "./post-card.css";

type Props = {
  post: PostCardFragment;
  /** `lead` opens a page, `row` is for lists, `tile` for grids. */
  variant?: "lead" | "row" | "tile";
  eager?: boolean;
  tools?: ReactNode;
};

// Must match the style sheets: browsers download larger files than needed if these are too large.
const sizes = {
  lead: "(width < 60rem) 92vw, 29rem",
  row: "(width < 46rem) 92vw, 19rem",
  tile: "(width < 40rem) 92vw, (width < 60rem) 45vw, 26rem",
};

export function PostCard({ post, variant = "row", eager = false, tools }: Props) {
  return (
    <article className={`post-card ${variant}`}>
      <Link to={postPath(post.id)} className="cover" tabIndex={-1} aria-hidden="true">
        <Picture image={post.image} sizes={sizes[variant]} eager={eager} decorative />
      </Link>
      <div className="words">
        <Link to={categoryPath(post.category)} className="eyebrow" dir="auto">
          {post.category}
        </Link>
        <h3 dir="auto">
          <Link to={postPath(post.id)}>{post.title}</Link>
        </h3>
        <p className="excerpt" dir="auto">
          {post.excerpt}
        </p>
        <PostMeta post={post} />
        <Link to={postPath(post.id)} className="more" aria-label={`Read More... ${post.title}`}>
          Read More...
        </Link>
        {tools}
      </div>
    </article>
  );
}

const PostMeta = ({ post }: { post: PostCardFragment }) => (
  <p className="meta">
    <Link to={profilePath(post.user.id)} dir="auto">
      {post.user.username}
    </Link>
    {separator}
    <ShortDate iso={post.createdAt} />
    {separator}
    <ReadingTime minutes={post.readingMinutes} />
    <Count of={post.likeCount} noun="like" />
    <Count of={post.commentCount} noun="comment" />
  </p>
);

/** A line may end with it, not begin. */
const separator = "\u00a0· ";

const Count = ({ of, noun }: { of: number; noun: string }) =>
  of > 0 && (
    <>
      {separator}
      <span className="unbroken">
        {of} {of === 1 ? noun : `${noun}s`}
      </span>
    </>
  );

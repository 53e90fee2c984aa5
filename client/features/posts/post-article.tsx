import { useRef, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { categoryPath, profilePath } from "../../config/paths.ts";
import type { PostArticleFragment, PostCardFragment } from "../../generated/graphql.ts";
import { Avatar } from "../../ui/basics/avatar.tsx";
import { Picture } from "../../ui/basics/picture.tsx";
import { ReadingTime, ShortDate } from "../../ui/data/time.tsx";
import { PostContents } from "./post-contents.tsx";
import { PostText } from "./post-text.tsx";
import { TagList } from "./tag-list.tsx";
import { useTextTools } from "./use-text-tools.ts";
import "./post-article.css";

type Props = {
  post: PostArticleFragment;
  tools?: ReactNode;
  /** Lies over the picture, so that nothing moves when it loads. */
  imageForm?: ReactNode;
  children?: ReactNode;
};

export function PostArticle({ post, tools, imageForm, children }: Props) {
  const { url, srcset } = post.user.profilePhoto;
  const article = useRef<HTMLElement>(null);
  useTextTools(article, post.descriptionHtml);
  return (
    <article className="post-article" ref={article}>
      <PostHead
        post={post}
        avatar={<Avatar url={url} srcset={srcset} />}
        tools={tools}
        imageForm={imageForm}
      />
      <PostContents headings={post.headings} />
      <PostText html={post.descriptionHtml} />
      {children}
    </article>
  );
}

type HeadProps = Pick<Props, "tools" | "imageForm"> & {
  post: PostArticleFragment | PostCardFragment;
  avatar: ReactNode;
};

/** Everything above the text; a post's card has enough of the post for it. */
const PostHead = ({ post, avatar, tools, imageForm }: HeadProps) => (
  <>
    <header>
      <Link to={categoryPath(post.category)} className="eyebrow" dir="auto">
        {post.category}
      </Link>
      <h1 dir="auto">{post.title}</h1>
      <div className="byline meta">
        {avatar}
        <span>
          <Link to={profilePath(post.user.id)} rel="author" dir="auto">
            {post.user.username}
          </Link>
          {" · "}
          <ShortDate iso={post.createdAt} />
          {" · "}
          <ReadingTime minutes={post.readingMinutes} />
        </span>
        {tools}
      </div>
      <TagList tags={post.tags} />
    </header>
    <figure className={post.image.height > post.image.width ? "portrait" : undefined}>
      <Picture image={post.image} sizes="(width < 65rem) 92vw, 60rem" wide eager whole />
      {imageForm}
    </figure>
  </>
);

/** @param props.card what a list has shown of the post */
export const PostArticleSkeleton = ({ card }: { card: PostCardFragment | null }) => (
  <div className="post-article" aria-busy="true" aria-label="Loading post">
    {card ? (
      <PostHead post={card} avatar={<span className="avatar skeleton" />} />
    ) : (
      <>
        <header>
          <div className="skeleton line" />
          <div className="skeleton line title" />
        </header>
        <figure>
          <div className="picture skeleton" />
        </figure>
      </>
    )}
    <div className="skeleton line" />
    <div className="skeleton line" />
  </div>
);

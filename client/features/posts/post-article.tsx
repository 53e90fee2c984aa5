import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { categoryPath, profilePath } from "../../config/paths.ts";
import type { PostArticleFragment } from "../../generated/graphql.ts";
import { Avatar } from "../../ui/basics/avatar.tsx";
import { Picture } from "../../ui/basics/picture.tsx";
import { ShortDate } from "../../ui/data/time.tsx";
import { PostText } from "./post-text.tsx";
import "./post-article.css";

type Props = {
  post: PostArticleFragment;
  tools?: ReactNode;
  /** Placed last, so that nothing moves when it loads. */
  imageForm?: ReactNode;
  children?: ReactNode;
};

export function PostArticle({ post, tools, imageForm, children }: Props) {
  return (
    <article className="post-article">
      <header>
        <Link to={categoryPath(post.category)} className="eyebrow">
          {post.category}
        </Link>
        <h1>{post.title}</h1>
        <div className="byline meta">
          <Avatar url={post.user.profilePhoto.url} srcset={post.user.profilePhoto.srcset} />
          <span>
            <Link to={profilePath(post.user.id)} rel="author">
              {post.user.username}
            </Link>
            {" · "}
            <ShortDate iso={post.createdAt} />
          </span>
          {tools}
        </div>
      </header>
      <figure>
        <Picture image={post.image} sizes="(width < 65rem) 92vw, 60rem" wide eager />
      </figure>
      <PostText html={post.descriptionHtml} />
      {children}
      {imageForm}
    </article>
  );
}

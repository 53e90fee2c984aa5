import { useQuery } from "@apollo/client/react";
import { Link, useParams } from "react-router-dom";
import { profilePath } from "../../config/paths.ts";
import { PostText } from "../../features/posts/post-text.tsx";
import { PreviewPageDocument } from "../../generated/writing/graphql.ts";
import { PageTitle } from "../../ui/basics/page-title.tsx";
import { Picture } from "../../ui/basics/picture.tsx";
import { TimeAgo } from "../../ui/data/time.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { NotFound } from "../../ui/feedback/not-found.tsx";
import "../../features/posts/post-article.css";
import "./preview.css";

export function PreviewPage() {
  const { token = "" } = useParams();
  const { data, error, refetch } = useQuery(PreviewPageDocument, { variables: { token } });
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!data) return <div className="page-loading" aria-busy="true" />;
  if (!data.preview) return <NotFound message="This preview link does not exist any more" />;
  const { title, category, descriptionHtml, updatedAt, image, user } = data.preview;
  return (
    <>
      <PageTitle name="Preview" />
      <p className="draft-banner">This is a draft. It is not published, and may change.</p>
      <article className="post-article">
        <header>
          {category && (
            <p className="eyebrow" dir="auto">
              {category}
            </p>
          )}
          <h1 dir="auto">{title || "Untitled"}</h1>
          <p className="byline meta">
            <span>
              <Link to={profilePath(user.id)} dir="auto">
                {user.username}
              </Link>
              {" · "}
              <TimeAgo iso={updatedAt} />
            </span>
          </p>
        </header>
        {image && (
          <figure className={image.height > image.width ? "portrait" : undefined}>
            <Picture image={image} sizes="(width < 65rem) 92vw, 60rem" wide eager whole />
          </figure>
        )}
        <PostText html={descriptionHtml} />
      </article>
    </>
  );
}

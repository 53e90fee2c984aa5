import { useApolloClient, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { postPath, profilePath } from "../config/paths.ts";
import { useSession } from "../features/accounts/session.ts";
import type { BookmarkButtonProps } from "../features/bookmarks/bookmark-button.tsx";
import { BookmarkLink } from "../features/bookmarks/bookmark-link.tsx";
import type { CommentFormProps } from "../features/comments/comment-form.tsx";
import { CommentInvitation } from "../features/comments/comment-invitation.tsx";
import { CommentList } from "../features/comments/comment-list.tsx";
import type { LikeButtonProps } from "../features/likes/like-button.tsx";
import { LikeLink } from "../features/likes/like-link.tsx";
import { MoreToRead } from "../features/posts/more-to-read.tsx";
import { PostArticle, PostArticleSkeleton } from "../features/posts/post-article.tsx";
import { PostAuthor } from "../features/posts/post-author.tsx";
import type { PostImageFormProps } from "../features/posts/post-image-form.tsx";
import { ShareButton } from "../features/posts/share-button.tsx";
import type { PostToolsProps } from "../features/posts/post-tools.tsx";
import {
  PostCardFragmentDoc,
  PostDetailsPageDocument,
  PostForViewerDocument,
  type PostDetailsPageQuery,
} from "../generated/graphql.ts";
import { isId } from "../lib/is-id.ts";
import { lazyComponent } from "../lib/lazy-component.tsx";
import { ErrorNotice } from "../ui/feedback/error-notice.tsx";
import { NotFound } from "../ui/feedback/not-found.tsx";
import { PageTitle } from "../ui/basics/page-title.tsx";

const LikeButton = lazyComponent<LikeButtonProps>(
  async () => (await import("../features/likes/like-button.tsx")).LikeButton,
  LikeLink,
);
const BookmarkButton = lazyComponent<BookmarkButtonProps>(
  async () => (await import("../features/bookmarks/bookmark-button.tsx")).BookmarkButton,
  ({ post }) => <BookmarkLink postId={post.id} />,
);
const CommentForm = lazyComponent<CommentFormProps>(
  async () => (await import("../features/comments/comment-form.tsx")).CommentForm,
);
const PostImageForm = lazyComponent<PostImageFormProps>(
  async () => (await import("../features/posts/post-image-form.tsx")).PostImageForm,
);
const PostTools = lazyComponent<PostToolsProps>(
  async () => (await import("../features/posts/post-tools.tsx")).PostTools,
);

/** A text that takes longer to read has a link back to its top. */
const LONG_MINUTES = 3;

export function PostDetailsPage() {
  const { id = "" } = useParams();
  const navigate = useNavigate();
  // Skips the query after deletion, which would fail.
  const [leftId, setLeftId] = useState<string | null>(null);
  const findCard = useFindCard();
  const skip = !isId(id) || leftId === id;
  const { data, error, refetch } = useQuery(PostDetailsPageDocument, { variables: { id }, skip });
  if (!isId(id)) return <NotFound message="invalid id" />;
  if (leftId === id) return null;
  if (data?.post === null) return <NotFound message="post not found" />;
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!data?.post) return <PostArticleSkeleton card={findCard(id)} />;
  const leave = (authorId: string) => {
    setLeftId(id);
    void navigate(profilePath(authorId), { replace: true });
  };
  return <Details key={id} post={data.post} onDeleted={leave} />;
}

/** A post as a list has shown it. */
function useFindCard() {
  const { cache } = useApolloClient();
  return (id: string) =>
    cache.readFragment({
      id: cache.identify({ __typename: "Post", id }),
      fragment: PostCardFragmentDoc,
      fragmentName: "PostCard",
    });
}

type Props = {
  post: NonNullable<PostDetailsPageQuery["post"]>;
  onDeleted: (authorId: string) => void;
};

function Details({ post, onDeleted }: Props) {
  const viewerId = useSession()?._id;
  const [newCommentId, setNewCommentId] = useState<string>();
  // The public data is server-rendered; the viewer's own data needs a separate query.
  const personal = useQuery(PostForViewerDocument, { variables: { id: post.id }, skip: !viewerId });
  const rights = viewerId ? personal.data?.post : undefined;
  return (
    <>
      <PageTitle
        name={post.title}
        description={post.excerpt || `${post.title}, by ${post.user.username}`}
        path={postPath(post.id)}
        feedsOf=""
        article={post}
      />
      <PostArticle
        post={post}
        tools={
          viewerId &&
          rights?.viewerCanDelete && (
            <PostTools
              post={post}
              rights={rights}
              viewerId={viewerId}
              onDeleted={() => onDeleted(post.user.id)}
            />
          )
        }
        imageForm={rights?.viewerCanEdit && <PostImageForm postId={post.id} />}
      >
        <div className="post-actions">
          {viewerId ? (
            <LikeButton post={post} viewerHasLiked={rights?.viewerHasLiked} />
          ) : (
            <LikeLink post={post} />
          )}
          {viewerId && rights ? <BookmarkButton post={rights} /> : <BookmarkLink postId={post.id} />}
          <ShareButton post={post} />
          {post.readingMinutes >= LONG_MINUTES && <a href="#top">Back to top</a>}
        </div>
        <PostAuthor user={post.user} />
        <MoreToRead post={post} />
        <section className="comments" aria-label="Comments">
          <div className="comment-form-area">
            {viewerId ? (
              <CommentForm postId={post.id} owner={viewerId} onCreated={setNewCommentId} />
            ) : (
              <CommentInvitation postId={post.id} />
            )}
          </div>
          <CommentList post={post} rights={rights?.comments.nodes} viewerId={viewerId} newId={newCommentId} />
        </section>
      </PostArticle>
    </>
  );
}

import { useQuery } from "@apollo/client/react";
import { useParams } from "react-router-dom";
import { useSession } from "../features/accounts/session.ts";
import { CommentForm, CommentInvitation } from "../features/comments/comment-form.tsx";
import { CommentList } from "../features/comments/comment-list.tsx";
import { LikeButton } from "../features/likes/like-button.tsx";
import { PostArticle } from "../features/posts/post-article.tsx";
import { PostArticleSkeleton } from "../features/posts/post-skeletons.tsx";
import {
  PostDetailsPageDocument,
  PostForViewerDocument,
  type PostDetailsPageQuery,
} from "../generated/graphql.ts";
import { isId } from "../lib/is-id.ts";
import { Failure } from "../ui/failure.tsx";
import { Missing } from "../ui/missing.tsx";
import { PageTitle } from "../ui/page-title.tsx";

export function PostDetailsPage() {
  const { id = "" } = useParams();
  const { data, error, refetch } = useQuery(PostDetailsPageDocument, { variables: { id }, skip: !isId(id) });
  if (!isId(id)) return <Missing message="invalid id" />;
  if (data?.post) return <Details key={id} post={data.post} />;
  if (data?.post === null) return <Missing message="post not found" />;
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  return <PostArticleSkeleton />;
}

function Details({ post }: { post: NonNullable<PostDetailsPageQuery["post"]> }) {
  const signedIn = useSession() !== null;
  // What everybody sees comes with the page; what is the reader's own is asked separately.
  const personal = useQuery(PostForViewerDocument, { variables: { id: post.id }, skip: !signedIn });
  const viewerHasLiked = personal.data?.post?.viewerHasLiked ?? false;
  return (
    <>
      <PageTitle name={post.title} description={`${post.title}, by ${post.user.username}`} />
      <PostArticle post={post}>
        <div>
          <LikeButton post={post} signedIn={signedIn} viewerHasLiked={viewerHasLiked} />
        </div>
        <section className="comments" aria-label="Comments">
          {signedIn ? <CommentForm postId={post.id} /> : <CommentInvitation postId={post.id} />}
          <CommentList post={post} />
        </section>
      </PostArticle>
    </>
  );
}

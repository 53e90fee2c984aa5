import { Link } from "react-router-dom";
import { paths, postPath } from "../../config/paths.ts";
import type { LikeButtonFragment } from "../../generated/graphql.ts";
import { useAfterLogin, type LoginState } from "../../lib/after-login.ts";
import { ThumbIcon } from "../../ui/basics/icons.tsx";
import { useLike } from "./use-like.ts";
import "./like-button.css";

type Props = {
  post: LikeButtonFragment;
  signedIn: boolean;
  /** Undefined for visitors, and until it is known. */
  viewerHasLiked: boolean | undefined;
};

export function LikeButton({ post, signedIn, viewerHasLiked }: Props) {
  const { liked, likeCount, toggle } = useLike(post, viewerHasLiked ?? false);
  useAfterLogin("like", viewerHasLiked !== undefined, () => !viewerHasLiked && toggle());
  const count = `${likeCount} likes`;
  if (!signedIn)
    return (
      <Link
        to={paths.login}
        state={{ from: postPath(post.id), then: "like" } satisfies LoginState}
        className="like-button"
        aria-label={`Login to like, ${count}`}
      >
        <ThumbIcon filled={false} /> <span>{count}</span>
      </Link>
    );
  return (
    <button
      type="button"
      className="like-button"
      aria-pressed={liked}
      aria-label={`Like, ${count}`}
      onClick={toggle}
    >
      <ThumbIcon filled={liked} /> <span>{count}</span>
    </button>
  );
}

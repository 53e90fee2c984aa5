import type { LikeButtonFragment } from "../../generated/graphql.ts";
import { useAfterLogin } from "../../lib/after-login.ts";
import { ThumbIcon } from "../../ui/basics/icons.tsx";
import { useLike } from "./use-like.ts";
import "./like-button.css";

export type LikeButtonProps = {
  post: LikeButtonFragment;
  /** Undefined until it is known. */
  viewerHasLiked: boolean | undefined;
};

export function LikeButton({ post, viewerHasLiked }: LikeButtonProps) {
  const { liked, likeCount, toggle } = useLike(post, viewerHasLiked ?? false);
  useAfterLogin("like", viewerHasLiked !== undefined, () => !viewerHasLiked && toggle());
  const count = `${likeCount} likes`;
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

import type { LikeButtonFragment } from "../../generated/graphql.ts";
import { ThumbIcon } from "../../ui/basics/icons.tsx";
import { useLike } from "./use-like.ts";
import "./like-button.css";

type Props = { post: LikeButtonFragment; signedIn: boolean; viewerHasLiked: boolean };

export function LikeButton({ post, signedIn, viewerHasLiked }: Props) {
  const { liked, likeCount, toggle } = useLike(post, viewerHasLiked);
  const count = `${likeCount} likes`;
  if (!signedIn)
    return (
      <p className="like-button">
        <ThumbIcon filled={false} /> <span>{count}</span>
      </p>
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

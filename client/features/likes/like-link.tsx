import { postPath } from "../../config/paths.ts";
import type { LikeButtonFragment } from "../../generated/graphql.ts";
import { ThumbIcon } from "../../ui/basics/icons.tsx";
import { LoginLink } from "../../ui/basics/login-link.tsx";
import "./like-button.css";

export const LikeLink = ({ post: { id, likeCount } }: { post: LikeButtonFragment }) => (
  <LoginLink
    from={postPath(id)}
    then="like"
    className="like-button"
    aria-label={`Login to like, ${likeCount} likes`}
  >
    <ThumbIcon filled={false} /> <span>{likeCount} likes</span>
  </LoginLink>
);

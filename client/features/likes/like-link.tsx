import { Link } from "react-router-dom";
import { paths, postPath } from "../../config/paths.ts";
import type { LikeButtonFragment } from "../../generated/graphql.ts";
import type { LoginState } from "../../lib/after-login.ts";
import { ThumbIcon } from "../../ui/basics/icons.tsx";
import "./like-button.css";

/** For visitors: leads to Login and back, and then likes the post. */
export const LikeLink = ({ post: { id, likeCount } }: { post: LikeButtonFragment }) => (
  <Link
    to={paths.login}
    state={{ from: postPath(id), then: "like" } satisfies LoginState}
    className="like-button"
    aria-label={`Login to like, ${likeCount} likes`}
  >
    <ThumbIcon filled={false} /> <span>{likeCount} likes</span>
  </Link>
);

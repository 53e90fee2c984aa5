import { Link } from "react-router-dom";
import { paths, postPath } from "../../config/paths.ts";
import type { LoginState } from "../../lib/after-login.ts";
import { BookmarkIcon } from "../../ui/basics/icons.tsx";

/** For visitors: leads to Login and back, and then saves the post. */
export const BookmarkLink = ({ postId }: { postId: string }) => (
  <Link
    to={paths.login}
    state={{ from: postPath(postId), then: "bookmark" } satisfies LoginState}
    className="like-button"
    aria-label="Login to save this post"
  >
    <BookmarkIcon filled={false} /> <span>Save</span>
  </Link>
);

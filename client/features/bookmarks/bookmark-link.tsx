import { postPath } from "../../config/paths.ts";
import { BookmarkIcon } from "../../ui/basics/icons.tsx";
import { LoginLink } from "../../ui/basics/login-link.tsx";

export const BookmarkLink = ({ postId }: { postId: string }) => (
  <LoginLink
    from={postPath(postId)}
    then="bookmark"
    className="like-button"
    aria-label="Login to save this post"
  >
    <BookmarkIcon filled={false} /> <span>Save</span>
  </LoginLink>
);

import { Link } from "react-router-dom";
import { paths, postPath } from "../../config/paths.ts";
import { messages } from "../../config/messages.ts";
import type { LoginState } from "../../lib/after-login.ts";

export const CommentInvitation = ({ postId }: { postId: string }) => (
  <p className="comment-invitation">
    <Link to={paths.login} state={{ from: postPath(postId), then: "comment" } satisfies LoginState}>
      {messages.loginToComment}
    </Link>
  </p>
);

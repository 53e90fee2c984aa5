import { Link } from "react-router-dom";
import { paths, postPath } from "../../config/paths.ts";
import { messages } from "../../config/messages.ts";

export const CommentInvitation = ({ postId }: { postId: string }) => (
  <p className="comment-invitation">
    <Link to={paths.login} state={{ from: postPath(postId) }}>
      {messages.loginToComment}
    </Link>
  </p>
);

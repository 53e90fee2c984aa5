import { postPath } from "../../config/paths.ts";
import { messages } from "../../config/messages.ts";
import { LoginLink } from "../../ui/basics/login-link.tsx";

export const CommentInvitation = ({ postId }: { postId: string }) => (
  <p className="comment-invitation">
    <LoginLink from={postPath(postId)} then="comment">
      {messages.loginToComment}
    </LoginLink>
  </p>
);

import { Link } from "react-router-dom";
import { paths, postPath } from "../../app/paths.ts";
import { productWords } from "../../app/product-words.ts";

export const CommentInvitation = ({ postId }: { postId: string }) => (
  <p className="comment-invitation">
    <Link to={paths.login} state={{ from: postPath(postId) }}>
      {productWords.loginToComment}
    </Link>
  </p>
);

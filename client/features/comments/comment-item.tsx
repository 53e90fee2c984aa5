import { Link } from "react-router-dom";
import { profilePath } from "../../app/paths.ts";
import type { CommentItemFragment } from "../../generated/graphql.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { TimeAgo } from "../../ui/time.tsx";

export const CommentItem = ({ comment }: { comment: CommentItemFragment }) => (
  <li className="comment-item">
    <Avatar url={comment.user.profilePhoto.url} srcset={comment.user.profilePhoto.srcset} />
    <div>
      <p className="meta">
        <Link to={profilePath(comment.user.id)}>{comment.user.username}</Link> ·{" "}
        <TimeAgo iso={comment.createdAt} />
      </p>
      <p className="text">{comment.text}</p>
    </div>
  </li>
);

import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { profilePath } from "../../config/paths.ts";
import type { CommentItemFragment, CommentRightsFragment } from "../../generated/graphql.ts";
import { lazyComponent } from "../../lib/lazy-component.tsx";
import { LinkedText } from "../../ui/basics/linked-text.tsx";
import { Avatar } from "../../ui/basics/avatar.tsx";
import { TimeAgo } from "../../ui/data/time.tsx";
import type { CommentToolsProps } from "./comment-tools.tsx";

const CommentTools = lazyComponent<CommentToolsProps>(
  async () => (await import("./comment-tools.tsx")).CommentTools,
);

type Props = {
  comment: CommentItemFragment;
  postId: string;
  rights?: CommentRightsFragment;
  viewerId?: string;
  isNew: boolean;
};

export function CommentItem({ comment, postId, rights, viewerId, isNew }: Props) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNew) item.current?.scrollIntoView({ block: "center" });
  }, [isNew]);
  return (
    <li ref={item} tabIndex={-1} className="comment-item" data-new={isNew || undefined}>
      <Avatar url={comment.user.profilePhoto.url} srcset={comment.user.profilePhoto.srcset} />
      <div>
        <p className="meta">
          <Link to={profilePath(comment.user.id)} dir="auto">
            {comment.user.username}
          </Link>
          {" · "}
          <TimeAgo iso={comment.createdAt} />
        </p>
        <LinkedText className="text" text={comment.text} />
      </div>
      {viewerId && rights && (rights.viewerCanEdit || rights.viewerCanDelete) && (
        <CommentTools comment={comment} rights={rights} postId={postId} viewerId={viewerId} />
      )}
    </li>
  );
}

import { useMutation, useQuery } from "@apollo/client/react";
import { FollowDocument, UnfollowDocument, ViewerFollowDocument } from "../../generated/reading/graphql.ts";
import { useAfterLogin } from "../../lib/after-login.ts";
import { useToggle } from "../../lib/use-toggle.ts";

/** The name is that of an author, a category or a tag. */
export type FollowButtonProps = { id: string; name: string };

export function FollowButton({ id, name }: FollowButtonProps) {
  const { data } = useQuery(ViewerFollowDocument, { variables: { id } });
  const [follow] = useMutation(FollowDocument, { variables: { id } });
  const [unfollow] = useMutation(UnfollowDocument, { variables: { id } });
  const node = data?.node;
  const isFollowing = node && "viewerIsFollowing" in node ? node.viewerIsFollowing : undefined;
  const { isOn, toggle } = useToggle(isFollowing ?? false, (next) => (next ? follow() : unfollow()));
  useAfterLogin("follow", isFollowing !== undefined, () => !isFollowing && toggle());
  return (
    <button
      type="button"
      className="like-button"
      aria-pressed={isOn}
      aria-label={`Follow ${name}`}
      disabled={isFollowing === undefined}
      onClick={toggle}
    >
      Follow
    </button>
  );
}

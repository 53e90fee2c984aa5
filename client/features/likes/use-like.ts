import { useMutation } from "@apollo/client/react";
import type { LikeButtonFragment } from "../../generated/graphql.ts";
import { LikePostDocument, UnlikePostDocument } from "../../generated/reading/graphql.ts";
import { useToggle } from "../../lib/use-toggle.ts";

export function useLike(post: LikeButtonFragment, viewerHasLiked: boolean) {
  const [like] = useMutation(LikePostDocument, { variables: { id: post.id } });
  const [unlike] = useMutation(UnlikePostDocument, { variables: { id: post.id } });
  const { isOn: liked, toggle } = useToggle(viewerHasLiked, (isOn) => (isOn ? like() : unlike()));
  return { liked, likeCount: post.likeCount + Number(liked) - Number(viewerHasLiked), toggle };
}

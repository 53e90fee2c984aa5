import { useMutation } from "@apollo/client/react";
import { useRef, useState } from "react";
import { LikePostDocument, UnlikePostDocument, type LikeButtonFragment } from "../../generated/graphql.ts";
import { messageOf } from "../../lib/forms/error-message.ts";
import { toast } from "../../lib/toast.ts";

/**
 * Likes and takes likes back, shown at once and rolled back when refused. One request is on its way at
 * a time and only the last wish is remembered: ten quick clicks end in the state of the tenth.
 */
export function useLike(post: LikeButtonFragment, viewerHasLiked: boolean) {
  const [like] = useMutation(LikePostDocument, { variables: { id: post.id } });
  const [unlike] = useMutation(UnlikePostDocument, { variables: { id: post.id } });
  const [wish, setWish] = useState<boolean | null>(null);
  const wanted = useRef<boolean | null>(null);

  async function settle(): Promise<void> {
    try {
      for (let sent: boolean | null = null; sent !== wanted.current;) {
        sent = wanted.current;
        await (sent ? like() : unlike());
      }
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      wanted.current = null;
      setWish(null);
    }
  }

  const liked = wish ?? viewerHasLiked;
  return {
    liked,
    likeCount: post.likeCount + Number(liked) - Number(viewerHasLiked),
    toggle: () => {
      const busy = wanted.current !== null;
      wanted.current = !(wanted.current ?? viewerHasLiked);
      setWish(wanted.current);
      if (!busy) void settle();
    },
  };
}

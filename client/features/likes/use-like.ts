import { useMutation } from "@apollo/client/react";
import { useRef, useState } from "react";
import { LikePostDocument, UnlikePostDocument, type LikeButtonFragment } from "../../generated/graphql.ts";
import { reportError } from "../../lib/forms/report-error.ts";

/**
 * Toggles a like optimistically and rolls back on errors. Sends one request at a time and only the latest state:
 * ten quick clicks end in the state of the tenth.
 */
export function useLike(post: LikeButtonFragment, viewerHasLiked: boolean) {
  const [like] = useMutation(LikePostDocument, { variables: { id: post.id } });
  const [unlike] = useMutation(UnlikePostDocument, { variables: { id: post.id } });
  const [optimistic, setOptimistic] = useState<boolean | null>(null);
  const target = useRef<boolean | null>(null);

  async function settle(): Promise<void> {
    try {
      for (let sent: boolean | null = null; sent !== target.current;) {
        sent = target.current;
        await (sent ? like() : unlike());
      }
    } catch (error) {
      reportError(error);
    } finally {
      target.current = null;
      setOptimistic(null);
    }
  }

  const liked = optimistic ?? viewerHasLiked;
  return {
    liked,
    likeCount: post.likeCount + Number(liked) - Number(viewerHasLiked),
    toggle: () => {
      const busy = target.current !== null;
      target.current = !(target.current ?? viewerHasLiked);
      setOptimistic(target.current);
      if (!busy) void settle();
    },
  };
}

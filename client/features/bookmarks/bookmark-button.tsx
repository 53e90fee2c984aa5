import { useMutation } from "@apollo/client/react";
import { BookmarkPostDocument, RemoveBookmarkDocument } from "../../generated/reading/graphql.ts";
import { useAfterLogin } from "../../lib/after-login.ts";
import { useToggle } from "../../lib/use-toggle.ts";
import { BookmarkIcon } from "../../ui/basics/icons.tsx";

export type BookmarkButtonProps = {
  post: { id: string; viewerHasBookmarked: boolean };
  label?: string;
};

export function BookmarkButton({
  post: { id, viewerHasBookmarked },
  label = "Save this post",
}: BookmarkButtonProps) {
  const [add] = useMutation(BookmarkPostDocument, { variables: { id } });
  const [remove] = useMutation(RemoveBookmarkDocument, { variables: { id } });
  const { isOn, toggle } = useToggle(viewerHasBookmarked, (next) => (next ? add() : remove()));
  useAfterLogin("bookmark", true, () => !viewerHasBookmarked && toggle());
  return (
    <button type="button" className="like-button" aria-pressed={isOn} aria-label={label} onClick={toggle}>
      <BookmarkIcon filled={isOn} /> <span>Save</span>
    </button>
  );
}

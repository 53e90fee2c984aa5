import { postPath } from "../../config/paths.ts";
import { flash } from "../../lib/flash.ts";

type Props = { post: { id: string; title: string } };

export function ShareButton({ post }: Props) {
  const share = async () => {
    const url = location.origin + postPath(post.id);
    if ("share" in navigator) return navigator.share({ title: post.title, url });
    if (!("clipboard" in navigator)) return prompt("The link of this post", url);
    await (navigator as Navigator).clipboard.writeText(url);
    flash("Link copied");
  };
  // Rejects when the reader closes the system's dialog.
  return (
    <button type="button" className="like-button" onClick={() => void share().catch(() => undefined)}>
      Share
    </button>
  );
}

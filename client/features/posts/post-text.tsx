import { memo } from "react";
import { trustedHtml } from "../../lib/trusted-html.ts";
import "./prose.css";

/**
 * Another rendering would set the same HTML again, and remove what `text-tools.ts` has added to it.
 * @param props.html rendered and sanitized by the server
 */
export const PostText = memo(({ html }: { html: string }) => (
  <div className="prose" dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />
));
PostText.displayName = "PostText";

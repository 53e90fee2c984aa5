import { trustedHtml } from "../../lib/trusted-html.ts";
import "./prose.css";

/** A post's text. @param props.html as the server rendered and sanitized it */
export const PostText = ({ html }: { html: string }) => (
  <div className="prose" dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />
);

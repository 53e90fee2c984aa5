import { trustedHtml } from "../../lib/trusted-html.ts";
import "./prose.css";

/** @param props.html rendered and sanitized by the server */
export const PostText = ({ html }: { html: string }) => (
  <div className="prose" dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />
);

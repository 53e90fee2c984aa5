import { Fragment } from "react";
import { splitLinks } from "../../lib/split-links.ts";

/** A person's plain text, each paragraph in the direction of its script, with its addresses as links. */
export const LinkedText = ({ text, className }: { text: string; className: string }) => (
  <p dir="auto" className={`plain-text ${className}`}>
    {splitLinks(text).map(({ text: part, href }, index) =>
      href ? (
        <a key={index} href={href} rel="nofollow ugc noopener">
          {part}
        </a>
      ) : (
        <Fragment key={index}>{part}</Fragment>
      ),
    )}
  </p>
);

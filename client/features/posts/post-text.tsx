import Markdown from "markdown-to-jsx";
import type { ReactNode } from "react";
import "./prose.css";

/** The post's title is the page's first heading, so those in the text start one below. */
const headings = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, { component: level < 3 ? "h2" : "h3" }]),
);

const options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  wrapper: "div",
  overrides: {
    ...headings,
    a: { props: { rel: "nofollow ugc noopener" } },
    // Pictures from elsewhere would tell others who reads; a link says where they are.
    img: {
      component: ({ src, alt }: { src?: string; alt?: string }): ReactNode => <a href={src}>{alt ?? src}</a>,
    },
  },
} as const;

/** A post's text: a small Markdown, turned into elements by React; markup in it stays text. */
export const PostText = ({ text }: { text: string }) => (
  <div className="prose">
    <Markdown options={options}>{text}</Markdown>
  </div>
);

import Markdown from "markdown-to-jsx";
import type { ReactNode } from "react";
import "./prose.css";

type Children = { children?: ReactNode };

/** Only what they are: no ids of the writer's choosing, no `style` attributes, which the page's policy blocks. */
const plain = {
  h2: ({ children }: Children) => <h2>{children}</h2>,
  h3: ({ children }: Children) => <h3>{children}</h3>,
  th: ({ children }: Children) => <th>{children}</th>,
  td: ({ children }: Children) => <td>{children}</td>,
};

/** The post's title is the page's first heading, so those in the text start one below. */
const headings = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, { component: level < 3 ? plain.h2 : plain.h3 }]),
);

const options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  wrapper: "div",
  overrides: {
    ...headings,
    th: { component: plain.th },
    td: { component: plain.td },
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

import type { PostArticleFragment } from "../../generated/graphql.ts";
import "./post-contents.css";

const FEWEST = 3;

/** The table of contents of a long text: beside it on wide screens, else folded above it. */
export function PostContents({ headings }: Pick<PostArticleFragment, "headings">) {
  if (headings.length < FEWEST) return null;
  const list = (
    <ol>
      {headings.map(({ id, text, level }) => (
        <li key={id} data-level={level}>
          <a href={`#${id}`} dir="auto">
            {text}
          </a>
        </li>
      ))}
    </ol>
  );
  return (
    <nav className="post-contents" aria-label="Contents">
      <details>
        <summary>Contents</summary>
        {list}
      </details>
      <div>{list}</div>
    </nav>
  );
}

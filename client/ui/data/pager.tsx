import { Link } from "react-router-dom";
import "./pager.css";

type Props = { page: number; pages: number; pathOf: (page: number) => string };

export function Pager({ page, pages, pathOf }: Props) {
  if (pages < 2) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <Step label="Previous" to={page > 1 ? pathOf(Math.min(page - 1, pages)) : null} rel="prev" />
      <ol>
        {shownPages(page, pages).map((each) => (
          <li key={each}>
            {each < 0 ? (
              <span aria-hidden="true">…</span>
            ) : (
              <Link
                to={pathOf(each)}
                aria-current={each === page ? "page" : undefined}
                aria-label={`Page ${each}`}
              >
                {each}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <Step label="Next" to={page < pages ? pathOf(page + 1) : null} rel="next" />
    </nav>
  );
}

const Step = ({ label, to, rel }: { label: string; to: string | null; rel: string }) =>
  to === null ? (
    <span className="step" role="link" aria-disabled="true">
      {label}
    </span>
  ) : (
    <Link className="step" to={to} rel={rel}>
      {label}
    </Link>
  );

/** Returns page numbers; gaps are unique negative numbers, so that they can be keys. */
export function shownPages(page: number, pages: number): number[] {
  const near = [1, page - 1, page, page + 1, pages].filter((each) => each >= 1 && each <= pages);
  const sorted = [...new Set(near)].sort((a, b) => a - b);
  return sorted.flatMap((each, index) => {
    const gap = each - (sorted[index - 1] ?? 0);
    return gap === 2 ? [each - 1, each] : gap > 2 ? [-each, each] : [each];
  });
}

import { Link } from "react-router-dom";
import { categoryPath } from "../../config/paths.ts";
import type { CategoryItemFragment } from "../../generated/graphql.ts";
import "./category-list.css";

export const CategoryList = ({
  categories,
  current,
}: {
  categories: CategoryItemFragment[];
  current?: string;
}) => (
  <aside className="category-list">
    <h2>Categories</h2>
    <ul>
      {categories.map(({ id, title, postCount }) => (
        <li key={id}>
          <Link to={categoryPath(title)} aria-current={title === current ? "page" : undefined}>
            <span dir="auto">{title}</span> <span className="count">{postCount}</span>
          </Link>
        </li>
      ))}
    </ul>
  </aside>
);

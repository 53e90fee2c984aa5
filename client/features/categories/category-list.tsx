import { useState } from "react";
import { useApolloClient } from "@apollo/client/react";
import { Link } from "react-router-dom";
import { categoryPath } from "../../config/paths.ts";
import {
  AllCategoriesDocument,
  type CategoryItemFragment,
  type CategoryListFragment,
} from "../../generated/lists/graphql.ts";
import { MoreButton } from "../../ui/data/more-button.tsx";
import "./category-list.css";

/** As many as its fragment asks for, of a thousand that a blog may have: each makes the page larger. */
const PAGE_SIZE = 100;

type Props = { shown: CategoryListFragment; current?: string };

export const hasMore = ({ categories }: CategoryListFragment) => categories.length === PAGE_SIZE;

export function CategoryList({ shown, current }: Props) {
  const client = useApolloClient();
  const [all, setAll] = useState<CategoryItemFragment[]>();
  const loadAll = async () => setAll((await client.query({ query: AllCategoriesDocument })).data?.categories);
  return (
    <aside className="category-list">
      <h2>Categories</h2>
      <ul>
        {(all ?? shown.categories).map(({ id, title, postCount }) => (
          <li key={id}>
            <Link to={categoryPath(title)} aria-current={title === current ? "page" : undefined}>
              <span dir="auto">{title}</span> <span className="count">{postCount}</span>
            </Link>
          </li>
        ))}
      </ul>
      {!all && hasMore(shown) && <MoreButton label="Show all categories" load={loadAll} />}
    </aside>
  );
}

// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import { CategoryPage } from "../../pages/category.tsx";
import { data, refusal, renderWith, toasts } from "../../testing/render.tsx";
import { AddCategoryForm } from "./add-category-form.tsx";
import { CategoryList } from "./category-list.tsx";

test("a taken title is refused at its field, and a created category empties it", async () => {
  const taken = refusal({ message: "category already exist", code: "CONFLICT" });
  const category = { __typename: "Category", id: "c", title: "Food", postCount: 0 };
  const responses = [taken, data({ createCategory: category })];
  const { user } = renderWith(<AddCategoryForm />, { CreateCategory: () => responses.shift() ?? taken });
  const title = () => screen.getByLabelText<HTMLInputElement>("Category Title");
  await user.type(title(), "Food");
  await user.click(screen.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(toasts()).toEqual(["category already exist"]));
  expect(screen.getByText("There is already a category of this name.")).toBeTruthy();
  expect(title().value).toBe("Food");
  await user.click(screen.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(toasts()).toEqual(["category created successfully"]));
  expect(title().value).toBe("");
});

const makeCategories = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...({ __typename: "Category", id: `c${n}`, title: `Category ${n}`, postCount: n } as const),
  }));

test("a page shows a hundred categories, and all of a larger blog on demand", async () => {
  const categories = makeCategories(130);
  const shown = { __typename: "Query" as const, categories: categories.slice(0, 100) };
  const { user } = renderWith(<CategoryList shown={shown} current="Category 120" />, {
    AllCategories: data({ categories }),
  });
  expect(screen.getAllByRole("link")).toHaveLength(100);
  await user.click(screen.getByRole("button", { name: "Show all categories" }));
  await waitFor(() => expect(screen.getAllByRole("link")).toHaveLength(130));
  expect(screen.getByRole("link", { current: "page" }).textContent).toBe("Category 120 120");
  expect(screen.queryByRole("button")).toBeNull();
});

test("the page of a category beyond the first hundred offers to follow it", async () => {
  const [categories, posts] = [makeCategories(130), { __typename: "PostConnection", nodes: [] }];
  const pageInfo = { __typename: "PageInfo", endCursor: null, hasNextPage: false };
  const page = (
    <Routes>
      <Route path="/posts/categories/:category" element={<CategoryPage />} />
    </Routes>
  );
  const responses = {
    CategoryPage: data({ categories: categories.slice(0, 100), posts: { ...posts, pageInfo } }),
    AllCategories: data({ categories }),
  };
  const { sent } = renderWith(page, responses, "/posts/categories/Category%20120");
  await screen.findByText(/^Follow/);
  expect(sent.map(({ name }) => name)).toEqual(["CategoryPage", "AllCategories"]);
});

test("fewer categories have no button", () => {
  renderWith(<CategoryList shown={{ __typename: "Query", categories: makeCategories(99) }} />);
  expect(screen.queryByRole("button")).toBeNull();
});

// @vitest-environment jsdom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { CategoryNameFragmentDoc } from "../../generated/admin/graphql.ts";
import { useListParams } from "../../lib/use-list-params.ts";
import { renderWith } from "../../testing/render.tsx";
import { CategoriesTable } from "./categories-table.tsx";

const category = { __typename: "Category" as const, id: "c", title: "Places", postCount: 1 };
const table = { rows: [category], total: 1, error: undefined, retry: () => {} };
const Categories = () => (
  <CategoriesTable address={useListParams(["title"], "title")} data={table as never} />
);

test("the confirmation of a category's deletion names it, and says how many posts keep the name", async () => {
  const { client, user } = renderWith(<Categories />);
  client.cache.writeFragment({ fragment: CategoryNameFragmentDoc, data: category });
  await user.click(screen.getByRole("button", { name: "Delete Category" }));
  const question = within(screen.getByRole("dialog", { name: "Are you sure?" }));
  expect(question.getByText("Places")).toBeTruthy();
  expect(question.getByText("1 post keeps the name.")).toBeTruthy();
});

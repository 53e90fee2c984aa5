// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { data, refusal, renderWith, toasts } from "../../testing/render.tsx";
import { AddCategoryForm } from "./add-category-form.tsx";

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

import { z } from "zod";
import { categoryInput, tooManyCategories } from "../domain/categories.ts";
import type { Operation } from "./endpoint/operations.ts";
import { category, id, message } from "./shapes.ts";

export const listCategories = {
  name: "categories",
  summary: "All categories, in order of creation",
  who: "everybody",
  effect: "read",
  response: z.array(category),
  headers: ["X-Total-Count"],
} satisfies Operation;

export const createCategory = {
  name: "createCategory",
  summary: "Create a category",
  who: "admin",
  effect: "write",
  body: categoryInput,
  status: 201,
  response: category,
  refusals: {
    400: ['"title" is not allowed to be empty'],
    404: ["user not found"],
    409: ["category already exist", tooManyCategories().message],
  },
} satisfies Operation;

export const deleteCategory = {
  name: "deleteCategory",
  summary: "Delete a category",
  details: "Posts keep its title.",
  who: "admin",
  effect: "write",
  response: z.strictObject({ ...message.shape, categoryId: id }),
  refusals: { 404: ["category not found"] },
} satisfies Operation;

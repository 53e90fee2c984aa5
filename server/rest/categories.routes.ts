import * as categories from "../domain/categories.ts";
import { presentCategory } from "./present.ts";
import type { Route } from "./routes.ts";

export function categoryRoutes(route: Route): void {
  route("GET", "/categories", async ({ ctx }) => (await categories.readCategories(ctx)).map(presentCategory));
  route("POST", "/categories", async ({ ctx, body, reply }) => {
    const category = await categories.createCategory(ctx, body);
    reply.code(201);
    return presentCategory(category);
  });
  route("DELETE", "/categories/:id", async ({ ctx, id }) => {
    const { id: categoryId, message } = await categories.deleteCategory(ctx, id);
    return { message, categoryId };
  });
}

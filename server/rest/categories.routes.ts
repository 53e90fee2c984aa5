import * as categories from "../domain/categories.ts";
import * as operations from "./categories.operations.ts";
import { presentCategory } from "./present.ts";
import type { Route } from "./endpoint/routes.ts";

export function categoryRoutes(route: Route): void {
  route("GET", "/categories", operations.listCategories, async ({ ctx, reply }) => {
    const all = await categories.readCategories(ctx);
    reply.header("x-total-count", all.length);
    return all.map(presentCategory);
  });
  route("POST", "/categories", operations.createCategory, async ({ ctx, body }) =>
    presentCategory(await categories.createCategory(ctx, body)),
  );
  route("DELETE", "/categories/:id", operations.deleteCategory, async ({ ctx, id }) => {
    const { id: categoryId, message } = await categories.deleteCategory(ctx, id);
    return { message, categoryId };
  });
}

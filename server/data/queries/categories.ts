import type { Category } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";
import type { Queries } from "../../domain/ports.ts";

const select = `SELECT id, title, "titleKey", "userId", "createdAt", "updatedAt" FROM "Category"`;

type CategoryQueries = Pick<Queries, "categories" | "categoriesById">;

export const categoryQueries = (runPrepared: RunPrepared): CategoryQueries => ({
  categories: () => runPrepared<Category>(`${select} ORDER BY "createdAt", id`, []),
  categoriesById: (ids) => runPrepared<Category>(`${select} WHERE id = ANY ($1::uuid[])`, [[...ids]]),
});

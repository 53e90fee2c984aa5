import type { Category } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";
import type { Db, Queries } from "../../domain/ports.ts";

const statement = `
  SELECT id, title, "titleKey", "userId", "createdAt", "updatedAt" FROM "Category" ORDER BY "createdAt", id`;

type CategoryQueries = Pick<Queries, "categories" | "categoriesById">;

export const categoryQueries = (runPrepared: RunPrepared, db: Db): CategoryQueries => ({
  categories: () => runPrepared<Category>(statement, []),
  categoriesById: (ids) => db.category.findMany({ where: { id: { in: [...ids] } } }),
});

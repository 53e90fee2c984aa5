import type { Category } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";
import type { Queries } from "../../domain/ports.ts";

const statement = `
  SELECT id, title, "titleKey", "userId", "createdAt", "updatedAt" FROM "Category" ORDER BY "createdAt", id`;

export const categoryQueries = (runPrepared: RunPrepared): Pick<Queries, "categories"> => ({
  categories: () => runPrepared<Category>(statement, []),
});

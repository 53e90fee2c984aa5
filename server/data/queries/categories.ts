import type { Category } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";
import type { Queries } from "../../domain/ports.ts";

const statement = `
  SELECT id, title, "titleKey", "userId", "createdAt", "updatedAt" FROM "Category" ORDER BY "createdAt", id`;

export const categoryQueries = (ask: RunPrepared): Pick<Queries, "categories"> => ({
  categories: () => ask<Category>(statement, []),
});

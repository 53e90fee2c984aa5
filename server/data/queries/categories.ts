import type { Category } from "../../domain/post-selection.ts";
import type { Ask } from "./run-prepared.ts";
import type { Reads } from "../../domain/ports.ts";

const statement = `
  SELECT id, title, "titleKey", "userId", "createdAt", "updatedAt" FROM "Category" ORDER BY "createdAt", id`;

export const categoryReads = (ask: Ask): Pick<Reads, "categories"> => ({
  categories: () => ask<Category>(statement, []),
});

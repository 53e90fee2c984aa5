import type { Category, Reads } from "../../reads.ts";
import type { Ask } from "./ask.ts";

const statement = `
  SELECT id, title, "titleKey", "userId", "createdAt", "updatedAt" FROM "Category" ORDER BY "createdAt", id`;

export const categoryReads = (ask: Ask): Pick<Reads, "categories"> => ({
  categories: () => ask<Category>(statement, []),
});

import { z } from "zod";
import type { Ctx, ReadCtx, Viewer } from "./context.ts";
import { badInput, conflict, notFound } from "../errors.ts";
import { LENGTHS, MAX_CATEGORIES } from "../limits.ts";
import { pageOfPrefetched, sliceOf, type ConnectionArgs } from "./lists/connections.ts";
import { nameKey, parseId, parseInput, text } from "./input.ts";
import {
  countList,
  nameSearch,
  readList,
  readWholeList,
  type ListQuery,
  listQueryParser,
} from "./lists/lists.ts";
import { asViewer, requireAdmin } from "./permissions.ts";
import type { Category } from "./post-selection.ts";
import { mapConstraintError } from "./constraint-errors.ts";
import { createOnce } from "./idempotency.ts";

export type { Category };

export const categoryInput = z.strictObject({
  title: text(...LENGTHS.category).meta({
    description: "Unique without regard to case.",
    examples: ["Craft"],
  }),
});

const parseQuery = listQueryParser(["createdAt", "title", "postCount"], "createdAt");

const selectionOf = (search: string) => ({ list: "categories", search: nameSearch(search) }) as const;

/** Sorted by creation time by default. Returns all categories if `pageArgs` names no page. @throws BAD_USER_INPUT */
export async function readCategories(
  ctx: ReadCtx,
  query: ListQuery = {},
  pageArgs: ConnectionArgs = {},
): Promise<Category[]> {
  const { search, order } = parseQuery(query);
  const isPaged = pageArgs.page != null || pageArgs.first != null;
  if (!search && query.sort == null) {
    const { skip } = sliceOf(order, pageArgs);
    const all = await ctx.queries.categories();
    return isPaged ? pageOfPrefetched(all.slice(skip), order, pageArgs).nodes : all;
  }
  if (isPaged) return (await readCategoryPage(ctx, query, pageArgs)).nodes;
  const list = { selection: selectionOf(search), order };
  return readWholeList(ctx, list, (ids) => ctx.queries.categoriesById(ids));
}

/** @throws BAD_USER_INPUT, UNAVAILABLE */
export function readCategoryPage(ctx: ReadCtx, query: ListQuery, pageArgs: ConnectionArgs) {
  const { search, order } = parseQuery(query);
  const list = { selection: selectionOf(search), order };
  return readList<Category>(ctx, list, pageArgs, (ids) => ctx.queries.categoriesById(ids));
}

/** Counts all categories, or those that match `search`. @throws BAD_USER_INPUT */
export const countCategories = (ctx: ReadCtx, query: ListQuery = {}): Promise<number> =>
  countList(ctx, selectionOf(parseQuery(query).search));

export const countPostsIn = (ctx: ReadCtx, titles: readonly string[]) => ctx.queries.countPostsIn(titles);

/** @returns the categories of these titles, case-insensitively; deleted ones are absent */
export async function findCategories(
  ctx: ReadCtx,
  titles: readonly string[],
): Promise<Map<string, Category>> {
  const all = new Map((await ctx.queries.categories()).map((each) => [nameKey(each.title), each]));
  return new Map(
    titles.flatMap((title) => {
      const category = all.get(nameKey(title));
      return category ? [[title, category]] : [];
    }),
  );
}

/** Finds a category by its title, case-insensitively. @throws BAD_USER_INPUT */
export async function requireCategory(ctx: Pick<Ctx, "db">, title: string): Promise<Category> {
  const category = await ctx.db.category.findUnique({ where: { titleKey: nameKey(title) } });
  if (!category)
    throw badInput('"category" must be an existing category', {
      category: '"category" must be an existing category',
    });
  return category;
}

/** @throws UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT, CONFLICT */
export const createCategory = (ctx: Ctx, fields: unknown): Promise<Category> =>
  asViewer(ctx, async () => {
    const admin = requireAdmin(ctx);
    return createOnce<Category>(ctx, admin, {
      operation: "createCategory",
      parse: () => categoryInput.safeParse(fields).data,
      create: (id) => insertCategory(ctx, admin, fields, id),
      find: (id) => ctx.db.category.findUnique({ where: { id } }),
    });
  });

export const tooManyCategories = () =>
  conflict(`the blog has at most ${MAX_CATEGORIES} categories, please delete some`);

async function insertCategory(ctx: Ctx, admin: Viewer, fields: unknown, id?: string): Promise<Category> {
  const { title } = parseInput(categoryInput, fields);
  const own = { titleKey: nameKey(title), userId: admin.id, createdAt: ctx.now() };
  const category = await ctx.db.$transaction(async (tx) => {
    await ctx.locks.lockKey(tx, "categories");
    if ((await tx.category.count()) >= MAX_CATEGORIES) throw tooManyCategories();
    return tx.category
      .create({ data: { title, ...own, ...(id && { id }) } })
      .catch(mapConstraintError("unique", () => conflict("category already exist")))
      .catch(mapConstraintError("reference", () => notFound("user")));
  });
  ctx.invalidate("categories");
  return category;
}

/** Posts of the category keep its title as text. @throws UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT, NOT_FOUND */
export function deleteCategory(ctx: Ctx, id: string) {
  return asViewer(ctx, async () => {
    requireAdmin(ctx);
    const { count } = await ctx.db.category.deleteMany({ where: { id: parseId(id) } });
    if (count === 0) throw notFound("category");
    ctx.invalidate("categories");
    return { id: parseId(id), message: "category has been deleted successfully" };
  });
}

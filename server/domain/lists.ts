import { z } from "zod";
import { createBulkhead } from "../queue.ts";
import { byTime, readConnection, type ConnectionArgs, type Order, type Row } from "./connections.ts";
import type { Ctx } from "./context.ts";
import { nameKey, parseInput, text } from "./input.ts";
import type { ListSelection, NameSearch } from "./ports.ts";

/** What a caller may ask of a list besides a window of it: words to look for, and a field to sort by. */
export type ListQuery = { search?: string | null; sort?: string | null };

type FindRows<T extends Row> = (ids: string[]) => Promise<T[]>;

/**
 * Makes the parser of a list's search and sort; it throws BAD_USER_INPUT for text that no row could hold or of more
 * than 100 characters, or an unknown field.
 * @param fields that callers may sort by
 * @param usual the order without a sort
 */
export function listQueryParser(fields: readonly string[], usual: "createdAt" | "-createdAt") {
  const choices = fields.flatMap((field) => [field, `-${field}`]);
  const error = `must be one of ${choices.join(", ")}`;
  const known = z.object({ search: text(0, 100).nullish(), sort: z.enum(choices, { error }).nullish() });
  const orderBy = (chosen: string): Order => {
    const field = chosen.replace("-", "");
    return { field, direction: chosen === field ? "asc" : "desc", isByTime: field === "createdAt" };
  };
  const nothing = { search: "", order: orderBy(usual) };
  return (query: ListQuery): { search: string; order: Order } => {
    if (query.search == null && query.sort == null) return nothing;
    const { search, sort } = parseInput(known, query);
    return { search: search ?? "", order: orderBy(sort ?? usual) };
  };
}

/** Without a search every row matches. */
export const nameSearch = (search: string): NameSearch | null =>
  search ? { text: search, key: nameKey(search) } : null;

/** For statements that read far more rows than they give. */
export const inTurn = createBulkhead("search");

const countsOf = new WeakMap<Ctx, Map<string, Promise<Map<string, number>>>>();

/** Counts the rows of the same parents once for a request, however many windows of their lists it has. */
export function countOnce(
  ctx: Ctx,
  noun: string,
  parentIds: readonly string[],
  count: () => Promise<Map<string, number>>,
): Promise<Map<string, number>> {
  const counts = countsOf.get(ctx) ?? new Map<string, Promise<Map<string, number>>>();
  countsOf.set(ctx, counts);
  const key = [noun, ...parentIds].join(" ");
  const found = counts.get(key) ?? count();
  counts.set(key, found);
  return found;
}

/** Rows that an offset may pass over before the statement waits for its turn: each of them is read. */
const MAX_SKIPPED = 300;

export const isDeep = (skip: number) => skip > MAX_SKIPPED;

/** Runs a read in turn if it passes over many rows. @throws UNAVAILABLE */
export const inTurnIfDeep = <T>(skip: number, origin: string, read: () => Promise<T>): Promise<T> =>
  isDeep(skip) ? inTurn(read, origin) : read();

type List = { selection: ListSelection; order: Order };

/**
 * Selects the keys first and reads the rows after: rows that are skipped cost next to nothing.
 * @throws UNAVAILABLE, and BAD_USER_INPUT as readConnection
 */
export const readList = <T extends Row>(
  ctx: Ctx,
  { selection, order }: List,
  window: ConnectionArgs,
  findRows: FindRows<T>,
) =>
  readConnection<T>(
    {
      order,
      find: async (slice) => {
        const keys = await inTurn(() => ctx.queries.listKeys(selection, slice.order, slice), ctx.origin);
        return findInOrder(keys, findRows);
      },
      count: () => countList(ctx, selection),
    },
    window,
  );

/** For lists that are short enough to be read at once. */
export async function readWholeList<T extends Row>(
  ctx: Ctx,
  { selection, order }: List,
  findRows: FindRows<T>,
) {
  const keys = await inTurn(() => ctx.queries.listKeys(selection, order, null), ctx.origin);
  return findInOrder(keys, findRows);
}

const CHUNK = 200;

/** Walks a whole list, newest first, by short statements; between two of them no connection is held. */
export async function* readInChunks<T extends Row>(
  ctx: Ctx,
  selection: ListSelection,
  findRows: FindRows<T>,
): AsyncGenerator<T[]> {
  for (let cursor: Row | null = null; ;) {
    const keys: Row[] = await ctx.queries.listKeys(selection, byTime("desc"), {
      cursor,
      take: CHUNK,
      skip: 0,
    });
    const rows = await findInOrder(keys, findRows);
    if (rows.length > 0) yield rows;
    if (keys.length < CHUNK) return;
    cursor = keys.at(-1) ?? null;
  }
}

/** @throws UNAVAILABLE */
export const countList = (ctx: Ctx, selection: ListSelection): Promise<number> =>
  inTurn(() => ctx.queries.countList(selection), ctx.origin);

/** The rows of these keys; one that was deleted meanwhile is left out. */
async function findInOrder<T extends Row>(keys: Row[], findRows: FindRows<T>): Promise<T[]> {
  const rows = await findRows(keys.map((key) => key.id));
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return keys.flatMap(({ id }) => rowOf.get(id) ?? []);
}

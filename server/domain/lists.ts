import { z } from "zod";
import type { Ctx } from "./context.ts";
import { createBulkhead } from "../queue.ts";
import { Prisma } from "../generated/prisma/client.ts";
import {
  byTime,
  orderBy,
  readConnection,
  toSql,
  type Order,
  type Row,
  type ConnectionArgs,
} from "./connections.ts";
import { parseInput, text } from "./input.ts";

/** What a caller may ask of a list besides a window of it: words to look for, and a field to sort by. */
export type ListQuery = { search?: string | null; sort?: string | null };

/** Where the rows of a list come from, each called `node`, and which of them belong to it. */
export type List = { from: Prisma.Sql; where: Prisma.Sql[]; order: Order };

type FindRows<T extends Row> = (ids: string[]) => Promise<T[]>;

/** A pattern that finds the text anywhere, none of its characters being a wildcard. */
export const containing = (search: string) => `%${search.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * Makes the parser of a list's wishes; it throws BAD_USER_INPUT for text that no row could hold or of more than
 * 100 characters, or an unknown field.
 * @param columns what each field that callers may sort by is in SQL
 * @param usual how a list is sorted where nobody says
 */
export function listQueryParser<Field extends string>(
  columns: Record<Field, Prisma.Sql>,
  usual: "createdAt" | "-createdAt",
) {
  const choices = Object.keys(columns).flatMap((field) => [field, `-${field}`]);
  const error = `must be one of ${choices.join(", ")}`;
  const known = z.object({ search: text(0, 100).nullish(), sort: z.enum(choices, { error }).nullish() });
  const orderBy = (chosen: string): Order => {
    const field = chosen.replace("-", "") as Field;
    const direction = chosen === field ? "asc" : "desc";
    return { by: columns[field], direction, isByTime: field === "createdAt" };
  };
  const nothing = { search: "", order: orderBy(usual) };
  return (wish: ListQuery): { search: string; order: Order } => {
    if (wish.search == null && wish.sort == null) return nothing;
    const { search, sort } = parseInput(known, wish);
    return { search: search ?? "", order: orderBy(sort ?? usual) };
  };
}

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

/**
 * Chooses the keys first and reads what belongs to them after: rows that are skipped cost next to nothing.
 * @throws UNAVAILABLE, and what the window is refused for
 */
export const readList = <T extends Row>(
  ctx: Ctx,
  list: List,
  window: ConnectionArgs,
  findRows: FindRows<T>,
) =>
  readConnection<T>(
    {
      order: list.order,
      find: async (slice) => findInOrder(await findKeys(ctx, list, toSql(slice)), findRows),
      count: () => countList(ctx, list),
    },
    window,
  );

/** For lists that are short enough to be read at once. */
export const readWholeList = async <T extends Row>(ctx: Ctx, list: List, findRows: FindRows<T>) =>
  findInOrder(await findKeys(ctx, list, orderBy(list.order)), findRows);

const CHUNK = 200;

/** Walks a whole list, newest first, by short statements; between two of them no connection is held. */
export async function* readInChunks<T extends Row>(
  ctx: Ctx,
  list: Omit<List, "order">,
  findRows: FindRows<T>,
): AsyncGenerator<T[]> {
  const order = byTime("desc");
  for (let cursor: Row | null = null; ;) {
    const slice = toSql({ order, cursor, take: CHUNK, skip: 0 });
    const keys: Row[] = await selectKeys(ctx, { ...list, order }, slice);
    const rows = await findInOrder(keys, findRows);
    if (rows.length > 0) yield rows;
    if (keys.length < CHUNK) return;
    cursor = keys.at(-1) ?? null;
  }
}

export async function countList(ctx: Ctx, list: Omit<List, "order">): Promise<number> {
  const count = Prisma.sql`SELECT count(*)::int AS count ${rowsOf(list)}`;
  const [row] = await inTurn(() => ctx.db.$queryRaw<{ count: number }[]>(count), ctx.origin);
  return row?.count ?? 0;
}

const findKeys = (ctx: Ctx, list: List, tail: Prisma.Sql): Promise<Row[]> =>
  inTurn(() => selectKeys(ctx, list, tail), ctx.origin);

const selectKeys = (ctx: Ctx, list: List, tail: Prisma.Sql): Promise<Row[]> =>
  ctx.db.$queryRaw`SELECT node.id, node."createdAt" ${rowsOf(list)} ${tail}`;

/** The rows of these keys; one that has gone meanwhile is left out. */
async function findInOrder<T extends Row>(keys: Row[], findRows: FindRows<T>): Promise<T[]> {
  const rows = await findRows(keys.map((key) => key.id));
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return keys.flatMap(({ id }) => rowOf.get(id) ?? []);
}

const rowsOf = ({ from, where }: Omit<List, "order">) =>
  Prisma.sql`FROM ${from} WHERE ${Prisma.join([Prisma.sql`TRUE`, ...where], " AND ")}`;

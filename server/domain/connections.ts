import { badInput } from "../errors.ts";
import type { Slice as TimeSlice } from "./post-selection.ts";
import { isId } from "./input.ts";
import type { ListOrder } from "./ports.ts";

/** Three posts a page: the product's constant. */
export const PAGE_SIZE = 3;
export const MAX_FIRST = 100;
/** Far beyond any blog; keeps the offset within what PostgreSQL counts. */
const MAX_PAGE = 10_000_000;

/** Either a numbered page, or a window before or after a cursor. */
export type ConnectionArgs = {
  page?: number | null;
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
};

export type Row = { id: string; createdAt: Date };

/** A page of rows; what it costs to know how many there are in all is only paid when asked. */
export type Connection<T extends Row> = {
  nodes: T[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  pageSize: number;
  countAll: () => Promise<number>;
};

export type Direction = "asc" | "desc";

export type Order = ListOrder & { isByTime: boolean };

export const byTime = (direction: Direction): Order => ({ field: "createdAt", direction, isByTime: true });

/** What to read: in which order, from where, and one row more than shown, to know whether there is another. */
export type RowSlice = { order: Order; cursor: Row | null; take: number; skip: number };

type Plan = RowSlice & { backwards: boolean; size: number };

type Source<T extends Row> = {
  /** The order in which people read the list. */
  order: Order;
  find: (slice: RowSlice) => Promise<T[]>;
  count: () => Promise<number>;
};

/**
 * Reads one window of a list.
 * @throws BAD_USER_INPUT for a page below 1, a size outside 1..100, a broken cursor or a mix of both kinds
 */
export async function readConnection<T extends Row>(
  source: Source<T>,
  window: ConnectionArgs,
): Promise<Connection<T>> {
  const plan = planWindow(source.order, window);
  return connect(await source.find(plan), plan, source.count);
}

/** A window whose rows were read along with their parent, as `sliceOf` said. */
export const connectRead = <T extends Row>(
  rows: T[],
  order: Order,
  window: ConnectionArgs,
  count: () => Promise<number>,
): Connection<T> => connect(rows, planWindow(order, window), count);

/** What to read for a window of a list by creation. @throws BAD_USER_INPUT as `readConnection` */
export const sliceOf = (order: Order, window: ConnectionArgs): TimeSlice => inTime(planWindow(order, window));

type NestedSource<T extends Row> = {
  order: Order;
  parentIds: readonly string[];
  parentOf: (row: T) => string;
  find: (slice: RowSlice) => Promise<T[]>;
  /** How many rows each parent has in all. */
  countAll: (parentIds: readonly string[]) => Promise<Map<string, number>>;
};

/** Reads the same window of many lists, one per parent and in the parents' order, with one statement. */
export async function readConnections<T extends Row>(
  source: NestedSource<T>,
  window: ConnectionArgs,
): Promise<Connection<T>[]> {
  const plan = planWindow(source.order, window);
  const rows = await source.find(plan);
  let counts: Promise<Map<string, number>> | undefined;
  const countOnce = () => (counts ??= source.countAll(source.parentIds));
  const rowsOf = new Map<string, T[]>(source.parentIds.map((id) => [id, []]));
  for (const row of rows) rowsOf.get(source.parentOf(row))?.push(row);
  return source.parentIds.map((id) =>
    connect(rowsOf.get(id) ?? [], plan, async () => (await countOnce()).get(id) ?? 0),
  );
}

function connect<T extends Row>(rows: T[], plan: Plan, count: () => Promise<number>): Connection<T> {
  const more = rows.length > plan.size;
  const nodes = rows.slice(0, plan.size);
  const behind = plan.cursor !== null || plan.skip > 0;
  let counted: Promise<number> | undefined;
  return {
    nodes: plan.backwards ? nodes.reverse() : nodes,
    hasNextPage: plan.backwards ? behind : more,
    hasPreviousPage: plan.backwards ? more : behind,
    pageSize: plan.size,
    countAll: () => (counted ??= count()),
  };
}

function planWindow(order: Order, window: ConnectionArgs): Plan {
  const { page, first, after, last, before } = window;
  const backwards = last != null || before != null;
  refuseMixture(window, backwards);
  const size = (backwards ? last : first) ?? PAGE_SIZE;
  if (size < 1 || size > MAX_FIRST)
    throw badInput(`"${backwards ? "last" : "first"}" must be between 1 and ${MAX_FIRST}`);
  const cursor = (backwards ? before : after) ?? null;
  if (cursor !== null && !order.isByTime)
    throw badInput('"after" and "before" need the order of creation; sorted otherwise, a list has pages');
  return {
    order: backwards ? opposite(order) : order,
    cursor: cursor === null ? null : parseCursor(cursor),
    take: size + 1,
    skip: ((page ?? 1) - 1) * size,
    backwards,
    size,
  };
}

function refuseMixture({ page, first, after }: ConnectionArgs, backwards: boolean): void {
  const forwards = first != null || after != null;
  if (backwards && forwards) throw badInput('"first" and "after" exclude "last" and "before"');
  if (page == null) return;
  if (backwards || after != null) throw badInput('"page" excludes cursors');
  if (page < 1 || page > MAX_PAGE) throw badInput('"page" must be a positive whole number');
}

const opposite = (order: Order): Order => ({
  ...order,
  direction: order.direction === "asc" ? "desc" : "asc",
});

/** A slice in the order of creation, as the hot reads know it. */
export const inTime = ({ order, cursor, take, skip }: RowSlice): TimeSlice => ({
  direction: order.direction,
  cursor,
  take,
  skip,
});

/** A row's place in its list, opaque to callers. */
export const cursorOf = (row: Row) =>
  Buffer.from(`${row.createdAt.getTime()}_${row.id}`).toString("base64url");

function parseCursor(cursor: string): Row {
  // Fourteen digits reach the year 5138; PostgreSQL does not know every moment that JavaScript does.
  const [, time, id] = /^(\d{1,14})_([0-9a-f-]{36})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (!time || !id || !isId(id)) throw badInput("invalid cursor");
  return { createdAt: new Date(Number(time)), id };
}

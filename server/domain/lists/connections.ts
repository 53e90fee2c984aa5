import { badInput } from "../../errors.ts";
import type { ListKey, ListOrder, Slice as TimeSlice } from "../post-selection.ts";
import { isId, isStorable } from "../input.ts";

/** Rows per page by default; fixed by the product. */
export const PAGE_SIZE = 3;
export const MAX_FIRST = 100;
/** Keeps the offset within PostgreSQL's integer range. */
const MAX_PAGE = 10_000_000;

/** Either a page number, or a cursor with a direction. */
export type ConnectionArgs = {
  page?: number | null;
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
};

/** `cursor` replaces the cursor by `createdAt`, for rows whose order is another one. */
export type Row = { id: string; createdAt: Date; cursor?: string };

export type Page<T extends Row> = {
  nodes: T[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  pageSize: number;
};

/** A page and the total of its list, which is counted only if requested. */
export type Connection<T extends Row> = Page<T> & { countAll: () => Promise<number> };

export type Direction = "asc" | "desc";

/** `isByTime`: by `createdAt`. Of other orders, those with cursors bring the `cursor` of each row. */
export type Order = ListOrder & { isByTime: boolean; hasCursors?: boolean };

export const byTime = (direction: Direction): Order => ({ field: "createdAt", direction, isByTime: true });

/** The rows to read. `take` is one more than the page size, to find out whether another page follows. */
export type RowSlice = {
  order: Order;
  cursor: ListKey | null;
  take: number;
  skip: number;
  until?: Date | undefined;
};

type Plan = RowSlice & { backwards: boolean; size: number };

/**
 * Writers set the times of their rows before they commit, so a row may appear before rows that a client has already read.
 * Reading from the oldest to the newest would miss it, so such a read gets no rows from `horizon` on.
 */
type Horizon = {
  horizon?: () => Promise<Date>;
  /** Holds back from the first page too. */
  isSync?: boolean;
};

const isSyncRead = ({ order, cursor }: Plan, isSync = false) =>
  order.direction === "asc" && (order.isByTime || order.field.endsWith("At")) && (cursor !== null || isSync);

async function withHorizon(plan: Plan, { horizon, isSync }: Horizon): Promise<Plan> {
  return horizon && isSyncRead(plan, isSync) ? { ...plan, until: await horizon() } : plan;
}

type Source<T extends Row> = {
  /** The list's display order; `find` gets the opposite one for a backward page. */
  order: Order;
  find: (slice: RowSlice) => Promise<T[]>;
  count: () => Promise<number>;
} & Horizon;

/**
 * Reads one page of a list.
 * @throws BAD_USER_INPUT for a page below 1, a size outside 1..100, an invalid cursor, or a page with a cursor
 */
export async function readConnection<T extends Row>(
  source: Source<T>,
  pageArgs: ConnectionArgs,
): Promise<Connection<T>> {
  const plan = await withHorizon(planPage(source.order, pageArgs), source);
  let counted: Promise<number> | undefined;
  return { ...pageOf(await source.find(plan), plan), countAll: () => (counted ??= source.count()) };
}

/** Makes a page of rows that were prefetched with the slice of `sliceOf`. */
export const pageOfPrefetched = <T extends Row>(rows: T[], order: Order, pageArgs: ConnectionArgs): Page<T> =>
  pageOf(rows, planPage(order, pageArgs));

/** The slice for a page of a list sorted by creation time. @throws BAD_USER_INPUT as `readConnection` */
export const sliceOf = (order: Order, pageArgs: ConnectionArgs): TimeSlice =>
  toTimeSlice(planPage(order, pageArgs));

type NestedSource<T extends Row> = {
  order: Order;
  parentIds: readonly string[];
  parentOf: (row: T) => string;
  find: (slice: RowSlice) => Promise<T[]>;
} & Horizon;

/** Reads the same page of one list per parent in one statement. @returns pages in the order of `parentIds` */
export async function readPages<T extends Row>(
  source: NestedSource<T>,
  pageArgs: ConnectionArgs,
): Promise<Page<T>[]> {
  const plan = await withHorizon(planPage(source.order, pageArgs), source);
  const rows = await source.find(plan);
  const rowsOf = new Map<string, T[]>(source.parentIds.map((id) => [id, []]));
  for (const row of rows) rowsOf.get(source.parentOf(row))?.push(row);
  return source.parentIds.map((id) => pageOf(rowsOf.get(id) ?? [], plan));
}

function pageOf<T extends Row>(rows: T[], plan: Plan): Page<T> {
  const more = rows.length > plan.size;
  const nodes = rows.slice(0, plan.size);
  const hasCursorOrSkip = plan.cursor !== null || plan.skip > 0;
  return {
    nodes: plan.backwards ? nodes.reverse() : nodes,
    hasNextPage: plan.backwards ? hasCursorOrSkip : more,
    hasPreviousPage: plan.backwards ? more : hasCursorOrSkip,
    pageSize: plan.size,
  };
}

function planPage(order: Order, pageArgs: ConnectionArgs): Plan {
  const { page, first, after, last, before } = pageArgs;
  const backwards = last != null || before != null;
  rejectMixedArgs(pageArgs, backwards);
  const size = (backwards ? last : first) ?? PAGE_SIZE;
  if (size < 1 || size > MAX_FIRST)
    throw badInput(`"${backwards ? "last" : "first"}" must be between 1 and ${MAX_FIRST}`);
  const cursor = (backwards ? before : after) ?? null;
  if (cursor !== null && !order.isByTime && !order.hasCursors)
    throw badInput('"after" and "before" need the order of creation; sorted otherwise, a list has pages');
  return {
    order: backwards ? opposite(order) : order,
    cursor: cursor === null ? null : parseCursor(cursor, order),
    take: size + 1,
    skip: ((page ?? 1) - 1) * size,
    backwards,
    size,
  };
}

function rejectMixedArgs({ page, first, after }: ConnectionArgs, backwards: boolean): void {
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

export const toTimeSlice = ({ order, cursor, take, skip, until }: RowSlice): TimeSlice => ({
  direction: order.direction,
  cursor,
  take,
  skip,
  until,
});

const encode = (text: string) => Buffer.from(text).toString("base64url");

export const cursorOf = (row: Row) => row.cursor ?? encode(`${row.createdAt.getTime()}_${row.id}`);

/** The cursor of a row in another order than by `createdAt`. */
export const cursorIn = ({ field }: Order, { createdAt, id, value }: ListKey) =>
  encode(`${createdAt.getTime()}_${id}_${field}_${value instanceof Date ? value.getTime() : value}`);

// Fourteen digits reach the year 5138: JavaScript's date range exceeds PostgreSQL's.
const CURSOR = /^(\d{1,14})_([0-9a-f-]{36})(?:_([a-zA-Z]+)_(.{1,400}))?$/su;
const TIME = /^\d{1,14}$/;

/** @throws BAD_USER_INPUT */
export function parseCursor(cursor: string, order: Order): ListKey {
  const [, time, id, field, value] = CURSOR.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (!time || !id || !isId(id) || field !== (order.isByTime ? undefined : order.field))
    throw badInput("invalid cursor");
  const key = { createdAt: new Date(Number(time)), id };
  if (value === undefined) return key;
  const isTime = order.field.endsWith("At");
  if (isTime ? !TIME.test(value) : !isStorable(value)) throw badInput("invalid cursor");
  return { ...key, value: isTime ? new Date(Number(value)) : value };
}

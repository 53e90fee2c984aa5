import { LRUCache } from "lru-cache";
import { z } from "zod";
import { DEEP_OFFSET, LENGTHS } from "../../limits.ts";
import { networkOf } from "../../networks.ts";
import { createBulkhead, createCounter } from "../../queue.ts";
import {
  byTime,
  cursorIn,
  readConnection,
  type ConnectionArgs,
  type Order,
  type Row,
} from "./connections.ts";
import type { ReadCtx } from "../context.ts";
import { nameKey, parseInput, text } from "../input.ts";
import type { ListKey, ListSelection, NameSearch } from "../post-selection.ts";

/** `sort` is a field name, with a leading `-` for descending order. */
export type ListQuery = { search?: string | null; sort?: string | null };

type FindRows<T extends Row> = (ids: string[]) => Promise<T[]>;

/**
 * @param fields the sortable fields
 * @param usual the default order
 * @returns a parser that throws BAD_USER_INPUT for a search that is too long or unstorable, or an unknown sort field
 */
export function listQueryParser(fields: readonly string[], usual: "createdAt" | "-createdAt") {
  const choices = fields.flatMap((field) => [field, `-${field}`]);
  const error = `must be one of ${choices.join(", ")}`;
  const schema = z.object({
    search: text(...LENGTHS.search).nullish(),
    sort: z.enum(choices, { error }).nullish(),
  });
  const orderBy = (chosen: string): Order => {
    const field = chosen.replace("-", "");
    return { field, direction: chosen === field ? "asc" : "desc", isByTime: field === "createdAt" };
  };
  const defaults = { search: "", order: orderBy(usual) };
  return (query: ListQuery): { search: string; order: Order } => {
    if (query.search == null && query.sort == null) return defaults;
    const { search, sort } = parseInput(schema, query);
    return { search: search ?? "", order: orderBy(sort ?? usual) };
  };
}

/** @returns null, which matches every row, for an empty search */
export const nameSearch = (search: string): NameSearch | null =>
  search ? { text: search, key: nameKey(search) } : null;

/** Limits the concurrency of statements that read far more rows than they return. */
export const queueSearch = createBulkhead("search");

export const isDeep = (skip: number) => skip > DEEP_OFFSET;

/** Runs a query through the bulkhead if its offset is deep. @throws UNAVAILABLE */
export const queueIfDeep = <T>(skip: number, origin: string, read: () => Promise<T>): Promise<T> =>
  isDeep(skip) ? queueSearch(read, origin) : read();

const queueTexts = createBulkhead("texts");

/** Characters of one result beyond which a network is queued for so many milliseconds. */
const LONG = { characters: 8_000, milliseconds: 2_000 };

/** Half of the rate at which results become responses. */
const CHARACTERS_PER_MILLISECOND = 10_000;

const readersOfLongTexts = new LRUCache<string, true>({ max: 10_000, ttl: LONG.milliseconds });

const MAX_UNQUEUED = 4;
const unqueuedReads = createCounter();

type LongRow = { description?: string; html?: string | null; text?: string; comments?: { text: string }[] };
type LongResult = readonly LongRow[] | ReadonlyMap<string, string> | LongRow | null;

/**
 * Queues further reads of networks that have just read long texts, or read several at once: each may take 25 ms of the
 * event loop. Others do not wait, since a queue would split the batches of the pipeline.
 * @throws UNAVAILABLE
 */
export const queueIfLong = <T extends LongResult>(
  hasTexts: boolean,
  origin: string,
  read: () => Promise<T>,
): Promise<T> => (hasTexts ? readTexts(origin, read) : read());

const queueGroups = createBulkhead("text_groups");

/** For a request that holds a permit which others wait for: it waits for no other requests of its network. @throws UNAVAILABLE */
export const queueGroup = <T extends LongResult>(origin: string, read: () => Promise<T>): Promise<T> =>
  readTexts(origin, read, queueGroups);

const isQueued = (network: string) =>
  readersOfLongTexts.has(network) || unqueuedReads.countOf(network) >= MAX_UNQUEUED;

async function readTexts<T extends LongResult>(
  origin: string,
  read: () => Promise<T>,
  queue?: typeof queueTexts,
): Promise<T> {
  const network = networkOf(origin);
  const waitsFor = queue ?? (isQueued(network) ? queueTexts : undefined);
  const release = waitsFor && (await waitsFor.acquire(origin));
  if (!release) unqueuedReads.add(network);
  let length = 0;
  try {
    const result = await read();
    length = lengthOf(result);
    if (length > LONG.characters) readersOfLongTexts.set(network, true);
    return result;
  } finally {
    // The response is made after this: a network gets half of the event loop at most.
    if (release) setTimeout(release, length / CHARACTERS_PER_MILLISECOND).unref();
    else unqueuedReads.remove(network);
  }
}

function lengthOf(result: LongResult): number {
  if (result === null) return 0;
  if (!(Symbol.iterator in result)) return lengthOfRow(result);
  let length = 0;
  for (const row of result.values()) length += typeof row === "string" ? row.length : lengthOfRow(row);
  return length;
}

function lengthOfRow({ description, text, html, comments = [] }: LongRow): number {
  let length = (description ?? text ?? "").length + (html ?? "").length;
  for (const comment of comments) length += comment.text.length;
  return length;
}

type List = { selection: ListSelection; order: Order; isSync?: boolean };

/**
 * Selects the keys of a page first, then its rows, so that skipped rows need no join.
 * @throws UNAVAILABLE, and BAD_USER_INPUT as readConnection
 */
export const readList = <T extends Row>(
  ctx: ReadCtx,
  { selection, order, isSync = false }: List,
  pageArgs: ConnectionArgs,
  findRows: FindRows<T>,
) =>
  readConnection<T>(
    {
      order,
      isSync,
      horizon: () => ctx.queries.horizon(selection.list),
      find: async (slice) => {
        const keys = await queueSearch(() => ctx.queries.listKeys(selection, slice.order, slice), ctx.origin);
        const rows = await findInOrder(keys, findRows);
        return order.hasCursors ? withCursors(rows, keys, order) : rows;
      },
      count: () => countList(ctx, selection),
    },
    pageArgs,
  );

/** For short lists only: reads all rows at once. @throws UNAVAILABLE */
export async function readWholeList<T extends Row>(
  ctx: ReadCtx,
  { selection, order }: List,
  findRows: FindRows<T>,
) {
  const keys = await queueSearch(() => ctx.queries.listKeys(selection, order, null), ctx.origin);
  return findInOrder(keys, findRows);
}

const CHUNK = 200;

/** Yields a whole list in chunks, newest first. It holds no connection between two chunks. */
export async function* readInChunks<T extends Row>(
  ctx: ReadCtx,
  selection: ListSelection,
  readGroups: (keys: Row[]) => AsyncIterable<T[]>,
): AsyncGenerator<T[]> {
  for (let cursor: Row | null = null; ;) {
    const keys: Row[] = await ctx.queries.listKeys(selection, byTime("desc"), {
      cursor,
      take: CHUNK,
      skip: 0,
    });
    for await (const rows of readGroups(keys)) if (rows.length > 0) yield rows;
    if (keys.length < CHUNK) return;
    cursor = keys.at(-1) ?? null;
  }
}

/** @throws UNAVAILABLE */
export const countList = (ctx: ReadCtx, selection: ListSelection): Promise<number> =>
  queueSearch(() => ctx.queries.countList(selection), ctx.origin);

function withCursors<T extends Row>(rows: T[], keys: ListKey[], order: Order): T[] {
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  return rows.map((row) => ({ ...row, cursor: cursorIn(order, keyOf.get(row.id) ?? row) }));
}

/** For short rows: all of a chunk are one group. */
export const inOneGroup = <T extends Row>(findRows: FindRows<T>) =>
  async function* (keys: Row[]): AsyncGenerator<T[]> {
    yield await findInOrder(keys, findRows);
  };

/** Leaves out rows that have been deleted meanwhile. */
export async function findInOrder<T extends Row>(keys: Row[], findRows: FindRows<T>): Promise<T[]> {
  const rows = await findRows(keys.map((key) => key.id));
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return keys.flatMap(({ id }) => rowOf.get(id) ?? []);
}

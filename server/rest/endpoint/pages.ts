import type { FastifyReply } from "fastify";
import { z } from "zod";
import { cursorOf, type Connection, type Row } from "../../domain/lists/connections.ts";
import { isStorableTime, parseInput } from "../../domain/input.ts";
import { readFirst, streamArray, type JsonStream } from "./streams.ts";

/** The parameters of a list that a client can read page by page. */
export const pageQuery = z.object({
  limit: z
    .string()
    .refine((text) => /^([1-9]\d?|100)$/.test(text), "must be a whole number from 1 to 100")
    .meta({
      type: "integer",
      minimum: 1,
      maximum: 100,
      description: "Rows of a page; 100 with `after` alone.",
    })
    .optional(),
  after: z.string().describe("Only what follows this cursor: `X-End-Cursor` of a page.").optional(),
});

const isIsoDateTime = (text: string) =>
  z.iso.datetime({ offset: true }).safeParse(text).success && isStorableTime(Date.parse(text));

export const isoDateTime = z
  .string()
  .refine(isIsoDateTime, "must be a date and time in ISO 8601")
  .meta({ format: "date-time" });

/** `?category=` counts as not given. */
const withoutEmpty = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));

export const parseQuery = <T extends z.ZodObject>(schema: T, query: Record<string, unknown>): z.output<T> =>
  parseInput(schema, withoutEmpty(query));

export const MAX_BUFFERED_ROWS = 10;

type Listed<T extends Row, Full, Shown> = {
  address: string;
  query: Record<string, string>;
  reply: FastifyReply;
  /** Reads what the page lacks of its rows, in groups; under the permit of the stream if there is one. */
  load: (rows: T[]) => AsyncGenerator<Full[]>;
  present: (rows: Full[]) => Shown[] | Promise<Shown[]>;
};

export async function* alreadyLoaded<T>(rows: T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < rows.length; start += MAX_BUFFERED_ROWS)
    yield rows.slice(start, start + MAX_BUFFERED_ROWS);
}

/** The window of a page; null for the whole list. */
export const connectionArgsOf = ({ limit, after }: z.output<typeof pageQuery>) =>
  limit === undefined && after === undefined ? null : { first: Number(limit ?? 100), after };

/** Sends a page, with its total, its last cursor and the links (RFC 8288) to the first and the next page. */
export async function sendPage<T extends Row, Full, Shown>(
  { nodes, hasNextPage, countAll }: Connection<T>,
  { address, query, reply, load, present }: Listed<T, Full, Shown>,
): Promise<Shown[] | JsonStream> {
  const [last, { after: _, ...others }] = [nodes.at(-1), query];
  const linkTo = (rel: string, more: Record<string, string> = {}) =>
    `<${address}?${String(new URLSearchParams({ ...others, ...more }))}>; rel="${rel}"`;
  reply.header("x-total-count", await countAll());
  if (last) reply.header("x-end-cursor", cursorOf(last));
  const next = hasNextPage && last ? [linkTo("next", { after: cursorOf(last) })] : [];
  reply.header("link", [linkTo("first"), ...next].join(", "));
  if (nodes.length > MAX_BUFFERED_ROWS) return streamArray(load(nodes), present);
  const { all, chunks } = await readFirst(load(nodes));
  return chunks ? streamArray(chunks, present) : present(all);
}

import fc from "fast-check";
import { expect, test } from "vitest";
import { BlogError } from "../../errors.ts";
import { anyText } from "../../testing/arbitraries.ts";
import {
  byTime as byCreation,
  cursorOf,
  MAX_FIRST,
  readConnection,
  type Row,
  type RowSlice,
  type ConnectionArgs,
} from "./connections.ts";

const times = fc.integer({ min: 0, max: 5 }).map((second) => new Date(second * 1_000));
const rows = fc
  .uniqueArray(fc.record({ id: fc.uuid(), createdAt: times }), { maxLength: 30, selector: (row) => row.id })
  .map((list) => list.toSorted(byTime));
const orders = fc.constantFrom("asc" as const, "desc" as const);
const sizes = fc.integer({ min: 1, max: 12 });

function byTime(a: Row, b: Row): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));
}

function sourceOf(list: Row[], order: "asc" | "desc") {
  const find = async ({ order: { direction }, cursor, take, skip }: RowSlice) => {
    const ordered = direction === "asc" ? list : list.toReversed();
    const sign = direction === "asc" ? 1 : -1;
    const beyond = cursor ? ordered.filter((row) => sign * byTime(row, cursor) > 0) : ordered;
    return beyond.slice(skip, skip + take);
  };
  const shown = order === "asc" ? list : list.toReversed();
  return { shown, source: { order: byCreation(order), find, count: async () => list.length } };
}

test("paging forwards, backwards and by number returns each row once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(rows, orders, sizes, async (list, order, size) => {
      const { shown, source } = sourceOf(list, order);
      const read = (window: ConnectionArgs) => readConnection(source, window);

      const forwards: Row[] = [];
      for (let after: string | null = null; ;) {
        const page = await read({ first: size, after });
        expect(page.hasPreviousPage).toBe(after !== null);
        forwards.push(...page.nodes);
        if (!page.hasNextPage) break;
        after = cursorOf(page.nodes.at(-1)!);
      }
      expect(forwards).toEqual(shown);

      const backwards: Row[] = [];
      for (let before: string | null = null; ;) {
        const page = await read({ last: size, before });
        backwards.unshift(...page.nodes);
        if (!page.hasPreviousPage) break;
        before = cursorOf(page.nodes[0]!);
      }
      expect(backwards).toEqual(shown);

      const pages = Math.ceil(list.length / size);
      const numbered = await Promise.all(
        Array.from({ length: pages + 1 }, (_, index) => read({ first: size, page: index + 1 })),
      );
      expect(numbered.flatMap((page) => page.nodes)).toEqual(shown);
      expect(numbered.map((page) => page.hasNextPage)).toEqual(numbered.map((_, index) => index + 1 < pages));
    }),
    { numRuns: 200 },
  );
});

test("any arguments give a page within the limits or BAD_USER_INPUT", async () => {
  const numbers = fc.option(fc.oneof(fc.integer(), fc.integer({ min: -2, max: 120 })), { nil: null });
  const cursors = fc.option(
    fc.oneof(
      anyText,
      fc.record({ id: fc.uuid(), createdAt: fc.date({ noInvalidDate: true }) }).map(cursorOf),
      fc.stringMatching(/^\d{1,20}_[0-9a-f-]{30,40}$/).map((text) => Buffer.from(text).toString("base64url")),
    ),
    { nil: null },
  );
  const windows: fc.Arbitrary<ConnectionArgs> = fc.oneof(
    fc.record(
      { page: numbers, first: numbers, after: cursors, last: numbers, before: cursors },
      { requiredKeys: [] },
    ),
    fc.record({ first: numbers, after: cursors }, { requiredKeys: [] }),
    fc.record({ last: numbers }),
  );
  let pageCount = 0;
  await fc.assert(
    fc.asyncProperty(rows, orders, windows, async (list, order, window) => {
      try {
        const { nodes } = await readConnection(sourceOf(list, order).source, window);
        expect(nodes.length).toBeLessThanOrEqual(MAX_FIRST);
        pageCount++;
      } catch (error) {
        expect(error).toBeInstanceOf(BlogError);
        expect(error).toMatchObject({ code: "BAD_USER_INPUT", message: expect.stringMatching(/\S/) });
      }
    }),
    { numRuns: 1_000 },
  );
  expect(pageCount).toBeGreaterThan(50);
});

test("a cursor holds a timestamp in PostgreSQL's range or is rejected", async () => {
  const latest = 99_999_999_999_999;
  const cursors = fc.tuple(fc.integer({ min: 0, max: 999_999_999_999_999 }), fc.uuid());
  await fc.assert(
    fc.asyncProperty(cursors, async ([time, id]) => {
      const after = Buffer.from(`${time}_${id}`).toString("base64url");
      let received: RowSlice | undefined;
      const source = {
        order: byCreation("desc"),
        find: async (slice: RowSlice) => ((received = slice), []),
        count: async () => 0,
      };
      const error = await readConnection(source, { after }).catch((error: unknown) => error);
      if (time > latest) expect(error).toMatchObject({ code: "BAD_USER_INPUT", message: "invalid cursor" });
      else expect(received?.cursor).toEqual({ id, createdAt: new Date(time) });
    }),
  );
});

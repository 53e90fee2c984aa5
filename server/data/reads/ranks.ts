import type { Changes } from "../../changes.ts";
import type { Key, Slice } from "../../reads.ts";
import type { Ask } from "./ask.ts";

/** One mark for so many posts: what is left to skip is at most that. */
const STEP = 100;
/** Nearer pages are quick enough by themselves. */
const NEAR = 300;

type Marks = { total: number; keys: Key[] };

export type Ranks = ReturnType<typeof openRanks>;

/**
 * Where each hundredth post stands and how many there are, so that page 10 000 costs what page 1 costs and the
 * pager never counts. Forgotten with each post that comes or goes, and read anew when next asked for.
 */
export function openRanks(ask: Ask, changes: Pick<Changes, "onChange" | "isListening">) {
  let marks: Promise<Marks> | null = null;

  changes.onChange((tags) => {
    if (tags.includes("posts") || tags.includes("*")) marks = null;
  });

  /** Null where changes cannot be heard of: what is remembered could be wrong. */
  function current(): Promise<Marks> | null {
    if (!changes.isListening()) return null;
    const reading = (marks ??= readMarks(ask));
    reading.catch(() => {
      if (marks === reading) marks = null;
    });
    return reading;
  }

  return {
    countAll: async (): Promise<number | null> => (await current())?.total ?? null,

    /** The same slice of all posts, begun at the nearest mark instead of the start. */
    async shorten(slice: Slice): Promise<Slice> {
      const { skip, cursor, direction } = slice;
      if (skip <= NEAR || cursor !== null || direction !== "desc") return slice;
      const known = await current();
      const mark = Math.min(Math.floor(skip / STEP), known?.keys.length ?? 0);
      const key = known?.keys[mark - 1];
      return key ? { ...slice, cursor: key, skip: skip - mark * STEP } : slice;
    },
  };
}

/** The key of every hundredth post: whatever is older than `keys[n]` has at least (n + 1) * STEP before it. */
async function readMarks(ask: Ask): Promise<Marks> {
  const rows = await ask<{ createdAt: Date; id: string; rank: number; total: number }>(
    `SELECT "createdAt", id, rank::int, total::int FROM (
       SELECT "createdAt", id, row_number() OVER newest AS rank, count(*) OVER () AS total
       FROM "Post" WINDOW newest AS (ORDER BY "createdAt" DESC, id DESC)) post
     WHERE rank % ${STEP} = 0 OR rank = total ORDER BY rank`,
    [],
  );
  const total = rows.at(-1)?.total ?? 0;
  return { total, keys: rows.filter(({ rank }) => rank % STEP === 0) };
}

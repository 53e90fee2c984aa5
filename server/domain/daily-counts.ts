import { z } from "zod";
import type { Ctx } from "./context.ts";
import { parseInput } from "./input.ts";
import { requireAdmin } from "./permissions.ts";

/** Rows created on a day; `day` as in 2026-11-21, in UTC. */
export type DailyCount = { day: string; users: number; posts: number; categories: number; comments: number };

const span = z.object({ days: z.number().int().min(1).max(90) });

/**
 * @returns one entry for each of the last `days` days, today last
 * @throws UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT unless `days` is 1 to 90
 */
export async function countByDay(ctx: Ctx, fields: { days: number }): Promise<DailyCount[]> {
  requireAdmin(ctx);
  const { days } = parseInput(span, fields);
  const calendar = lastDays(ctx.now(), days);
  const counted = await ctx.queries.dailyCounts(new Date(`${calendar[0]?.day}T00:00:00Z`));
  const entryOf = new Map(calendar.map((entry) => [entry.day, entry]));
  for (const { noun, day, count } of counted) {
    const entry = entryOf.get(day);
    if (entry) entry[noun] = count;
  }
  return calendar;
}

const DAY = 24 * 60 * 60 * 1000;

const lastDays = (now: Date, days: number): DailyCount[] =>
  Array.from({ length: days }, (_, index) => ({
    day: new Date(now.getTime() - (days - 1 - index) * DAY).toISOString().slice(0, 10),
    ...{ users: 0, posts: 0, categories: 0, comments: 0 },
  }));

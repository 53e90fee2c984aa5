import { z } from "zod";
import type { ReadCtx } from "./context.ts";
import type { DailyCount } from "./post-selection.ts";
import { parseInput } from "./input.ts";
import { requireAdmin } from "./permissions.ts";

const span = z.object({ days: z.number().int().min(1).max(90) });

/**
 * @returns one entry for each of the last `days` days, today last
 * @throws UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT unless `days` is 1 to 90
 */
export async function countByDay(ctx: ReadCtx, fields: { days: number }): Promise<DailyCount[]> {
  requireAdmin(ctx);
  const { days } = parseInput(span, fields);
  return ctx.queries.dailyCounts(days);
}

import type { Ctx } from "../context.ts";
import { BlogError } from "../errors.ts";

const HOUR = 60 * 60 * 1000;

export type Throttle = { key: string; limit: number };

/** The rules (hits an hour); keys hold no secret and say what they count. */
export const throttles = {
  wrongPasswords: (email: string, origin: string): Throttle => ({
    key: `password ${email} ${origin}`,
    limit: 10,
  }),
  failedSignIns: (origin: string): Throttle => ({ key: `sign-in ${origin}`, limit: 100 }),
  registrations: (origin: string): Throttle => ({ key: `register ${origin}`, limit: 30 }),
  letters: (kind: string, email: string): Throttle => ({ key: `letter ${kind} ${email}`, limit: 5 }),
};

/**
 * Counts one more, in the database: across processes and restarts.
 * @returns whether it was still within the limit
 */
export async function countHit(ctx: Ctx, { key, limit }: Throttle): Promise<boolean> {
  if (!ctx.throttled) return true;
  const now = ctx.now();
  const resetsAt = new Date(now.getTime() + HOUR);
  const [row] = await ctx.db.$queryRaw<{ hits: number }[]>`
    INSERT INTO "Throttle" (key, hits, "resetsAt") VALUES (${key}, 1, ${resetsAt})
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN "Throttle"."resetsAt" <= ${now} THEN 1 ELSE "Throttle".hits + 1 END,
      "resetsAt" = CASE WHEN "Throttle"."resetsAt" <= ${now} THEN ${resetsAt} ELSE "Throttle"."resetsAt" END
    RETURNING hits`;
  return (row?.hits ?? 0) <= limit;
}

/** @throws RATE_LIMITED when one of these has been used up; nothing is counted */
export async function refuseExhausted(ctx: Ctx, ...rules: Throttle[]): Promise<void> {
  if (!ctx.throttled) return;
  const found = await ctx.db.throttle.findMany({
    where: { key: { in: rules.map((rule) => rule.key) }, resetsAt: { gt: ctx.now() } },
  });
  const used = found.filter(
    (row) => row.hits >= (rules.find((rule) => rule.key === row.key)?.limit ?? Infinity),
  );
  if (used.length > 0) throw tooMany(ctx, Math.max(...used.map((row) => row.resetsAt.getTime())));
}

/** Counts one more. @throws RATE_LIMITED when it is one too many */
export async function hitOrRefuse(ctx: Ctx, rule: Throttle): Promise<void> {
  if (await countHit(ctx, rule)) return;
  const row = await ctx.db.throttle.findUnique({ where: { key: rule.key } });
  throw tooMany(ctx, row?.resetsAt.getTime() ?? ctx.now().getTime() + HOUR);
}

export const forgetHits = (ctx: Ctx, { key }: Throttle) => ctx.db.throttle.deleteMany({ where: { key } });

function tooMany(ctx: Ctx, until: number): BlogError {
  const retryAfter = Math.max(1, Math.ceil((until - ctx.now().getTime()) / 1000));
  const minutes = Math.ceil(retryAfter / 60);
  return new BlogError(
    "RATE_LIMITED",
    `too many attempts, please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`,
    {
      retryAfter,
    },
  );
}

import type { Writes } from "../../domain/ports.ts";

export const countInWindow: Writes["countInWindow"] = async (db, { key, count, now, resetsAt }) => {
  const [row] = await db.$queryRaw<[{ hits: number; resetsAt: Date }]>`
      INSERT INTO "Throttle" (key, hits, "resetsAt") VALUES (${key}, ${count}::int, ${resetsAt})
      ON CONFLICT (key) DO UPDATE SET
        hits = CASE WHEN "Throttle"."resetsAt" <= ${now} THEN ${count}::int ELSE "Throttle".hits + ${count}::int END,
        "resetsAt" = CASE WHEN "Throttle"."resetsAt" <= ${now} THEN ${resetsAt} ELSE "Throttle"."resetsAt" END
      RETURNING hits, "resetsAt"`;
  return row;
};

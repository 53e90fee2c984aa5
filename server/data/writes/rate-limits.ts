import type { Counter, Writes } from "../../domain/ports.ts";
import { CLOCK_ERROR_MS } from "../../limits.ts";
import { Prisma } from "../../generated/prisma/client.ts";

const { sql } = Prisma;

type CounterWrites = Pick<Writes, "addToCounters" | "removeFromCounters">;

// Both lock rows in the order of their keys, so that concurrent writes of the same counters cannot deadlock.
export const counterWrites: CounterWrites = {
  addToCounters: async (db, counters, now) => {
    const [keys, hits] = [counters.map(({ key }) => key), counters.map((counter) => counter.hits)];
    const ends = counters.map(({ resetsAt }) => resetsAt);
    const isOld = sql`(counter."resetsAt" <= ${now} OR counter."resetsAt" > excluded."resetsAt" + ${CLOCK_ERROR_MS} * interval '1 ms')`;
    return db.$queryRaw<Counter[]>`
      INSERT INTO "Throttle" AS counter (key, hits, "resetsAt")
        SELECT * FROM unnest(${keys}::text[], ${hits}::int[], ${ends}::timestamptz[]) given(key) ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        hits = CASE WHEN ${isOld} THEN excluded.hits ELSE counter.hits + excluded.hits END,
        "resetsAt" = CASE WHEN ${isOld} THEN excluded."resetsAt" ELSE counter."resetsAt" END
      RETURNING key, hits, "resetsAt"`;
  },

  removeFromCounters: async (db, keys, hits) => {
    await db.$executeRaw`
      WITH counter AS (SELECT key, hits FROM "Throttle" WHERE key = ANY(${keys}) ORDER BY key FOR UPDATE),
      removed AS (
        DELETE FROM "Throttle" USING counter WHERE "Throttle".key = counter.key AND counter.hits <= ${hits}::int)
      UPDATE "Throttle" SET hits = counter.hits - ${hits}::int FROM counter
        WHERE "Throttle".key = counter.key AND counter.hits > ${hits}::int`;
  },
};

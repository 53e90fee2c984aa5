import type { Db, Queries, Session } from "../../domain/ports.ts";
import type { RunPrepared } from "./run-prepared.ts";

type AccountQueries = Pick<Queries, "activeSessions" | "hasResetToken" | "emailsById">;

export function accountQueries(runPrepared: RunPrepared, db: Db, now: () => Date): AccountQueries {
  const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds);
  return {
    activeSessions: (userId, { idle, age, take }) =>
      runPrepared<Session>(
        `SELECT id, "userId", "userAgent", "createdAt", "lastSeenAt" FROM "Session"
         WHERE "userId" = $1::uuid AND "createdAt" > $2 AND "lastSeenAt" > $3 ORDER BY "lastSeenAt" DESC LIMIT ${take}`,
        [userId, ago(age), ago(idle)],
      ),

    async hasResetToken(userId, tokenHash) {
      const rows = await runPrepared(
        `SELECT FROM "MailToken" WHERE purpose = 'RESET' AND "userId" = $1::uuid AND "tokenHash" = $2
           AND "usedAt" IS NULL AND "expiresAt" > $3`,
        [userId, tokenHash, now()],
      );
      return rows.length === 1;
    },

    emailsById: (ids) => db.email.findMany({ where: { id: { in: [...ids] } } }),
  };
}

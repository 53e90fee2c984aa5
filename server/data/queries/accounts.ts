import type { Db, Queries } from "../../domain/ports.ts";

type AccountQueries = Pick<Queries, "activeSessions" | "hasResetToken" | "emailsById">;

/** Rare reads, on the connections of writes. */
export function accountQueries(db: Db, now: () => Date): AccountQueries {
  const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds);
  return {
    activeSessions: (userId, { idle, age, take }) =>
      db.session.findMany({
        where: { userId, createdAt: { gt: ago(age) }, lastSeenAt: { gt: ago(idle) } },
        omit: { tokenHash: true },
        orderBy: { lastSeenAt: "desc" },
        take,
      }),

    async hasResetToken(userId, tokenHash) {
      const where = { purpose: "RESET", userId, tokenHash, usedAt: null, expiresAt: { gt: now() } } as const;
      return (await db.mailToken.count({ where })) === 1;
    },

    emailsById: (ids) => db.email.findMany({ where: { id: { in: [...ids] } } }),
  };
}

import type { Ask } from "./run-prepared.ts";
import type { KnownSession, Reads } from "../../domain/ports.ts";

const statement = `
  SELECT session.id, session."createdAt", session."lastSeenAt", account.id AS "userId", account."isAdmin"
  FROM "Session" session JOIN "User" account ON account.id = session."userId" WHERE session."tokenHash" = $1`;

export const sessionReads = (ask: Ask): Pick<Reads, "session"> => ({
  session: async (tokenHash) => (await ask<KnownSession>(statement, [tokenHash]))[0] ?? null,
});

import type { RunPrepared } from "./run-prepared.ts";
import type { KnownSession, Queries } from "../../domain/ports.ts";

const statement = `
  SELECT session.id, session."createdAt", session."lastSeenAt", account.id AS "userId", account."isAdmin"
  FROM "Session" session JOIN "User" account ON account.id = session."userId" WHERE session."tokenHash" = $1`;

export const sessionQueries = (runPrepared: RunPrepared): Pick<Queries, "session"> => ({
  session: async (tokenHash) => (await runPrepared<KnownSession>(statement, [tokenHash]))[0] ?? null,
});

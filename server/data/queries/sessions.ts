import { COMMITTED_POSITION_SQL } from "../replicas/position.ts";
import type { RunPrepared } from "./run-prepared.ts";
import type { SessionRow, Queries } from "../../domain/ports.ts";

const columns = `session.id, session."createdAt", session."lastSeenAt", account.id AS "userId", account."isAdmin"`;
const from = `FROM "Session" session JOIN "User" account ON account.id = session."userId" WHERE session."tokenHash" = $1`;
const SESSION = `SELECT ${columns} ${from}`;
const SESSION_WITH_POSITION = `SELECT ${columns}, ${COMMITTED_POSITION_SQL} AS position ${from}`;

export const sessionQueries = (runPrepared: RunPrepared): Pick<Queries, "session"> => ({
  session: async (tokenHash) => (await runPrepared<SessionRow>(SESSION, [tokenHash]))[0] ?? null,
});

/** The same, recording the primary's position, which is not before anything that the account has written. */
export const sessionsWithPosition = (
  runPrepared: RunPrepared,
  record: (position: string) => void,
): Pick<Queries, "session"> => ({
  async session(tokenHash) {
    const [row] = await runPrepared<SessionRow & { position: string }>(SESSION_WITH_POSITION, [tokenHash]);
    if (!row) return null;
    const { position, ...session } = row;
    record(position);
    return session;
  },
});

import { composeLetter, type Site } from "./compose.ts";
import type { Mail } from "../domain/ports.ts";

/**
 * Letters as rows: written in the transaction of the deed, together with the job that delivers them, so
 * that a refused deed sends nothing and an accepted one cannot be forgotten.
 * @param staysHere whether they end in an outbox of ours
 */
export const openMailbox = (site: Site, isLocalOutbox: boolean): Mail => ({
  isLocalOutbox,
  write: async (tx, kind, recipient, data) => {
    const { id } = await tx.letter.create({ data: { kind, recipient, ...composeLetter(kind, data, site) } });
    await tx.$executeRaw`
      SELECT graphile_worker.add_job('deliver_letter', json_build_object('id', ${id}::text), job_key := 'letter ' || ${id})`;
  },
});

import { EventEmitter } from "node:events";
import type { WorkerEvents } from "graphile-worker";
import type pg from "pg";
import { CLOCK_ERROR_MS } from "../limits.ts";

/** Arbitrary, the same in all processes: the first key of the advisory locks that live workers hold. */
const LOCKS = 420_694_003;

/** Dead workers, and their jobs that had one attempt. New workers have five seconds to take their lock. */
const FIND = `
  SELECT array_agg(DISTINCT locked_by) AS workers, array_agg(id) FILTER (WHERE id IS NOT NULL) AS spent FROM (
    SELECT locked_by, locked_at, NULL::bigint AS id FROM graphile_worker._private_job_queues
    UNION SELECT locked_by, locked_at, CASE WHEN attempts >= max_attempts THEN id END
      FROM graphile_worker._private_jobs) held
  WHERE locked_at NOT BETWEEN now() - interval '5 seconds' AND now() + ${CLOCK_ERROR_MS} * interval '1 ms' AND NOT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCKS}
      AND objid::bigint = hashtext(locked_by)::bigint & 4294967295
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
  HAVING count(*) > 0`;

type Dead = { workers: string[] | null; spent: string[] | null };

/** Unlocks the jobs and queues of killed processes, which Graphile Worker leaves locked for four hours. */
export async function unlockDeadWorkers(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<Dead>(FIND);
  const [dead] = rows;
  if (!dead) return;
  await pool.query("SELECT graphile_worker.force_unlock_workers($1)", [dead.workers]);
  const spent = dead.spent ?? [];
  await pool.query("SELECT graphile_worker.reschedule_jobs($1, run_at => now(), attempts => 0)", [spent]);
}

const LOCK = "SELECT pg_advisory_lock_shared($1, hashtext(id)) FROM unnest($2::text[]) AS worker(id)";

/**
 * Each worker holds an advisory lock on the connection that listens for jobs, so that it ends with the process. Workers that
 * are replaced leave the connection, with their locks, to the next ones.
 */
export function lockLiveWorkers() {
  const ids: string[] = [];
  let locked: pg.ClientBase | undefined;
  const unlockAll = (client: pg.ClientBase) => client.query("SELECT pg_advisory_unlock_all()");
  async function lockAll(listening: pg.ClientBase): Promise<void> {
    locked = listening;
    await unlockAll(listening);
    await listening.query(LOCK, [LOCKS, ids]);
  }
  const events = new EventEmitter() as WorkerEvents;
  events.on("worker:create", ({ worker: { workerId } }) => void ids.push(workerId));
  // Graphile Worker creates all workers at once, and sends LISTEN first.
  events.on(
    "pool:listen:success",
    ({ client }) => void client.once("drain", () => void lockAll(client).catch(() => undefined)),
  );
  return { events, unlock: async () => void (locked && (await unlockAll(locked).catch(() => undefined))) };
}

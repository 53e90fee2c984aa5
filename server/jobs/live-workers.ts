import { EventEmitter } from "node:events";
import type { WorkerEvents } from "graphile-worker";
import type pg from "pg";

/** Arbitrary, the same in all processes: the first key of the advisory locks that live workers hold. */
const LOCKS = 420_694_003;

/** New workers have five seconds to take their lock. */
const UNLOCK = `
  SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM (
    SELECT locked_by, locked_at FROM graphile_worker._private_job_queues
    UNION SELECT locked_by, locked_at FROM graphile_worker._private_jobs) held
  WHERE locked_at < now() - interval '5 seconds' AND NOT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCKS}
      AND objid::bigint = hashtext(locked_by)::bigint & 4294967295
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
  HAVING count(*) > 0`;

/** Unlocks the jobs and queues of killed processes, which Graphile Worker leaves locked for four hours. */
export const unlockDeadWorkers = async (pool: pg.Pool): Promise<void> => void (await pool.query(UNLOCK));

/**
 * Each worker holds an advisory lock on the connection that listens for jobs: PostgreSQL releases it when the process
 * ends.
 */
export function lockLiveWorkers(): WorkerEvents {
  const ids: string[] = [];
  const lockAll = (listening: pg.ClientBase) =>
    listening
      .query("SELECT pg_advisory_lock_shared($1, hashtext(id)) FROM unnest($2::text[]) AS worker(id)", [
        LOCKS,
        ids,
      ])
      // A lost connection is replaced, and the locks are taken again.
      .catch(() => undefined);
  const events = new EventEmitter() as WorkerEvents;
  events.on("worker:create", ({ worker: { workerId } }) => void ids.push(workerId));
  // Graphile Worker creates all workers at once, and sends LISTEN first.
  events.on("pool:listen:success", ({ client }) => void client.once("drain", () => void lockAll(client)));
  return events;
}

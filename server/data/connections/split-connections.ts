/** Connections: one LISTENs for invalidations; the worker needs one to LISTEN and one to work. */
const LISTENER = 1;
const WORKER = 2;

export function splitConnections(total: number) {
  const rest = total - LISTENER - WORKER;
  const readPipeline = Math.max(1, Math.round(rest * 0.4));
  return { worker: WORKER, readPipeline, pool: rest - readPipeline };
}

/**
 * Aborts a call after its deadline, or with `outer`. The signal would also cut a body that is still read, so the timer ends
 * with the call. Node 20 collects the signals of `AbortSignal.timeout` and `AbortSignal.any` before they abort.
 */
export async function withDeadline<T>(
  milliseconds: number,
  call: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, milliseconds);
  outer?.addEventListener("abort", abort);
  if (outer?.aborted) abort();
  try {
    return await call(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abort);
  }
}

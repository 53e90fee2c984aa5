/** Stops waiting for what cannot be cancelled. @throws ETIMEDOUT */
export async function inTime<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError(message)), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export const timeoutError = (message: string) =>
  Object.assign(new Error(message), { name: "TimeoutError", code: "ETIMEDOUT" });

/** Aborts a call after its deadline or with `outer`, without AbortSignal.any, which Node 20 collects. A body that is read after the call is not cut. */
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
  } catch (error) {
    // Nobody reads the body of an answer whose head is wrong.
    abort();
    throw error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abort);
  }
}

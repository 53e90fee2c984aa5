/** Aborts a call after its deadline. The signal would also cut a body that is still read, so the timer ends with the call. */
export async function withDeadline<T>(
  milliseconds: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await call(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Answers no sooner than `milliseconds` after the call, however the work went: what is done for a known
 * address and not for an unknown one shall not show by the clock.
 */
export async function inSteadyTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const floor = new Promise((done) => setTimeout(done, milliseconds));
  try {
    return await work();
  } finally {
    await floor;
  }
}

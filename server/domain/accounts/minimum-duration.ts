const MIN_DURATION = 80;

/** Takes at least 80 ms, so that the response time does not reveal who has an account. */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const minimum = new Promise((done) => setTimeout(done, MIN_DURATION));
  try {
    return await work();
  } finally {
    await minimum;
  }
}

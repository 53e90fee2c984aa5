/** Runs `work` for each item, some at a time. After an error it begins no other, and waits for those that run. */
export async function forEachConcurrently<T extends string>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items].reverse();
  const run = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop())
      await work(item).catch((error: unknown) => {
        rest.length = 0;
        throw error;
      });
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, run));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

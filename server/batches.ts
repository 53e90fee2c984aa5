/**
 * Repeats a statement that changes some `limit` rows until it finds fewer: one for all rows could exceed the time of a
 * statement, at each try again. @returns the number of rows
 */
export async function repeatInBatches(limit: number, change: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let count = limit; count >= limit; total += count) count = await change();
  return total;
}

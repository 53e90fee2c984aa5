const cleanups: (() => Promise<void>)[] = [];

/** Runs `cleanUp` after the calling test file, in reverse order; may be called in `beforeAll`. */
export const afterFile = (cleanUp: () => Promise<void>): void => {
  cleanups.push(cleanUp);
};

export async function runCleanups(): Promise<void> {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
}

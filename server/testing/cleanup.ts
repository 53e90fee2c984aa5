import { afterAll } from "vitest";

const cleanups: (() => Promise<void>)[] = [];

// Vitest never runs a hook that is made inside another one, so this is made when a test file loads us.
afterAll(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** Clears up after the test file that calls, in reverse order; may be called within its `beforeAll`. */
export const afterFile = (cleanUp: () => Promise<void>): void => {
  cleanups.push(cleanUp);
};

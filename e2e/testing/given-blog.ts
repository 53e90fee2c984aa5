import { inject } from "vitest";

/** The running blog of this worker, which one test file uses at a time. */
export const givenBlog = inject("blogs")[Number(process.env["VITEST_POOL_ID"]) - 1]!;

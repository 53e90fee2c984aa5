import { createBulkhead } from "../../queue.ts";

/** One post with its comments, or one profile with its posts, may be 2 MB long. */
export const queueDetails = createBulkhead("details");

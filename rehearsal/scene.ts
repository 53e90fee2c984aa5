import { createHistory } from "../faults/testing/history.ts";
import { findRegistered, readFacts } from "../faults/testing/findings.ts";
import { fillBlog } from "../faults/testing/people.ts";
import { runOn } from "./topology/postgres.ts";
import type { Topology } from "./topology/topology.ts";
import type { Scene } from "./workload/workload.ts";

const POSTS = 1_000;
const WRITERS = 4;

/** Accounts, and posts with comments and likes. */
export async function prepareScene({ site, primary }: Topology): Promise<Scene> {
  const names = Array.from({ length: WRITERS }, (_, n) => `Writer ${n}`);
  const { people, postId } = await fillBlog(site, primary.url, names);
  const { ids = "" } = await runOn(primary.url, ...FILL);
  const history = createHistory();
  // What is there already counts as written.
  history.check(await readFacts(primary.url));
  return { site, postId, people, history, posts: ids.split(","), registered: [] };
}

/** Pictures are rows without files: jobs have nothing to do for them. */
const FILL = [
  `WITH picture AS (
     INSERT INTO "Picture" (id, width, height, widths, placeholder, avif)
     SELECT gen_random_uuid(), 3, 2, '{3}', '', false FROM generate_series(1, ${POSTS}) RETURNING id),
   author AS (SELECT id FROM "User" ORDER BY id LIMIT 1)
   INSERT INTO "Post" (id, title, description, category, "userId", "imageId", "createdAt", "updatedAt")
   SELECT gen_random_uuid(), 'Post ' || row_number() OVER (), repeat('Words that are read. ', 40), 'Craft',
          (SELECT id FROM author), id, now() - row_number() OVER () * interval '1 hour', now() FROM picture`,
  `INSERT INTO "Comment" (id, text, "postId", "userId", "updatedAt")
   SELECT gen_random_uuid(), 'Comment ' || gen_random_uuid(), post.id, post."userId", now()
   FROM "Post" post, generate_series(1, 5)`,
  `INSERT INTO "Like" ("postId", "userId") SELECT post.id, account.id FROM "Post" post, "User" account
   WHERE post.title LIKE 'Post %'`,
  // A job would relate all posts during the first measurements.
  `UPDATE "RelatedState" SET "isCurrent" = true`,
  "ANALYZE",
  `SELECT string_agg(id::text, ',') AS ids FROM (SELECT id FROM "Post" ORDER BY "createdAt" DESC LIMIT 200) newest`,
];

/** @returns everything in a database that contradicts what was acknowledged */
export async function findLost(url: string, { history, registered }: Scene): Promise<string[]> {
  const accounts = await findRegistered(url);
  const missing = registered.filter((email) => !accounts.has(email));
  return [...history.check(await readFacts(url)), ...missing.map((email) => `no account ${email}`)];
}

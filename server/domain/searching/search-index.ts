import { JOB_TIME } from "../../limits.ts";
import type { SearchablePost } from "../post-selection.ts";
import type { Services } from "../context.ts";
import { spaceWords } from "./words.ts";

const BATCH = 100;

/** Indexes a batch of the posts that wait for it, the newest first. @returns whether more may be waiting */
export async function indexPending(services: Services): Promise<boolean> {
  const posts = await services.queries.unindexedPosts(BATCH);
  const isDone = await index(services, posts, performance.now() + JOB_TIME);
  return !isDone || posts.length === BATCH;
}

/** Indexes a committed post at once, if a trigger could not: in a language without spaces. */
export const indexSoon = async (services: Services, id: string): Promise<void> =>
  void (await index(services, await services.queries.unindexedPosts(1, id)));

/** A statement for each long text: PostgreSQL takes 0.1 s for it, and Node as long to cut it into words. */
async function index({ writes }: Services, posts: SearchablePost[], end = Infinity): Promise<boolean> {
  for (const portion of portionsOf(posts)) {
    if (performance.now() > end) return false;
    await writes.indexPosts(
      portion.map((post) => ({
        ...post,
        spacedTitle: spaceWords(post.title),
        spacedDescription: spaceWords(post.description),
      })),
    );
  }
  return true;
}

const PORTION = 50_000;

/** Runs of posts with about PORTION characters of text. */
function portionsOf(posts: SearchablePost[]): SearchablePost[][] {
  const portions: SearchablePost[][] = [];
  let left = 0;
  for (const post of posts) {
    const { length } = post.description;
    if (length > left) {
      portions.push([]);
      left = PORTION;
    }
    portions.at(-1)?.push(post);
    left -= length;
  }
  return portions;
}

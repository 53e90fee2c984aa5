import type { SearchablePost } from "../post-selection.ts";
import type { Services } from "../context.ts";
import { spaceWords } from "./words.ts";

const BATCH = 100;

/** Indexes a batch of the posts that wait for it, the newest first. @returns whether more may be waiting */
export async function indexPending(services: Services): Promise<boolean> {
  const posts = await services.queries.unindexedPosts(BATCH);
  await index(services, posts);
  return posts.length === BATCH;
}

/** Indexes a committed post at once, if a trigger could not: in a language without spaces. */
export const indexSoon = async (services: Services, id: string): Promise<void> =>
  index(services, await services.queries.unindexedPosts(1, id));

async function index({ writes }: Services, posts: SearchablePost[]): Promise<void> {
  if (posts.length === 0) return;
  await writes.indexPosts(
    posts.map((post) => ({
      ...post,
      spacedTitle: spaceWords(post.title),
      spacedDescription: spaceWords(post.description),
    })),
  );
}

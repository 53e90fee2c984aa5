import { JOB_TIME } from "../../limits.ts";
import type { SearchablePost } from "../post-selection.ts";
import { isTemporary } from "../../errors.ts";
import type { Ctx, Services } from "../context.ts";
import { queuePostWrite } from "../posts/write-queue.ts";
import { createTimeSlicer, type NextSlice } from "../../event-loop/time-slices.ts";
import { cutMarkRuns } from "../input.ts";
import { spacedParts } from "./words.ts";

const BATCH = { posts: 100, bytes: 500_000 };

/** Indexes a batch of waiting posts, the newest first. @returns whether more may be waiting @throws INSUFFICIENT_STORAGE */
export async function indexPending(services: Services): Promise<boolean> {
  const posts = await services.queries.unindexedPosts(BATCH);
  const isDone = await index(services, posts, performance.now() + JOB_TIME);
  const bytes = posts.reduce((sum, { description }) => sum + Buffer.byteLength(description), 0);
  return !isDone || posts.length === BATCH.posts || bytes >= BATCH.bytes;
}

/** Indexes a committed post at once, if a trigger could not: in a language without spaces. On a busy server the job does it. */
export async function indexAfterCommit(ctx: Ctx, id: string): Promise<void> {
  const posts = await ctx.queries.unindexedPosts(BATCH, id);
  if (posts.length === 0) return;
  await queuePostWrite(() => index(ctx, posts), ctx.origin).catch((error: unknown) => {
    if (!isTemporary(error)) throw error;
  });
}

/** A statement for each long text: PostgreSQL takes 0.1 s for it. */
async function index(
  { writes, requireDiskSpace }: Services,
  posts: SearchablePost[],
  end = Infinity,
): Promise<boolean> {
  const nextSlice = createTimeSlicer();
  for (const portion of portionsOf(posts)) {
    if (performance.now() > end) return false;
    await requireDiskSpace();
    const spaced: Parameters<typeof writes.indexPosts>[0] = [];
    for (const post of portion) {
      const spacedTitle = await spaceInSlices(post.title, nextSlice);
      const spacedDescription = await spaceInSlices(post.description, nextSlice);
      spaced.push({ ...post, spacedTitle, spacedDescription });
    }
    await writes.indexPosts(spaced);
  }
  return true;
}

/** Other requests run in between: a text of full length takes a quarter of a second. */
async function spaceInSlices(text: string, nextSlice: NextSlice): Promise<string> {
  const parts: string[] = [];
  for (const part of spacedParts(cutMarkRuns(text))) {
    parts.push(part);
    await nextSlice();
  }
  return parts.join("");
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

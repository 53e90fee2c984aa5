import { isDeepStrictEqual } from "node:util";
import { JOB_TIME } from "../../limits.ts";
import { JOBS } from "../../event-loop/time-budget.ts";
import type { Ctx, Services } from "../context.ts";
import type { OutdatedPost } from "../ports.ts";
import { findTextPictures } from "../writing/text-pictures.ts";

/** Milliseconds a write waits for rendering. After that the response is sent and rendering goes on. */
const WAIT = 2_000;
const BATCH = 20;
const ROUNDS = 2;

type Source = { id: string; description: string; userId: string };

/**
 * Renders a post's text and stores the HTML, unless the text has changed meanwhile. Renders once more if its pictures have
 * changed, and then leaves the post to the job: an author could repeat such changes for ever.
 * @param owner the queue holds at most one text per owner; it rejects a second one, which the job renders later
 * @returns whether the renderer accepted the text @throws INSUFFICIENT_STORAGE
 */
export async function renderPost(
  services: Services,
  source: Source,
  owner: string,
  share: string,
): Promise<boolean> {
  const { id, description } = source;
  const { version } = services.markdown;
  let pictures = await findTextPictures(services, source);
  for (let round = 1; round <= ROUNDS; round++) {
    await services.requireDiskSpace();
    const html = await services.markdown.render(description, owner, pictures, share);
    if (html === null) return false;
    await services.writes.storeHtml({ postId: id, description, html, version });
    services.invalidate(`html:${id}`);
    const current = await findTextPictures(services, source);
    if (isDeepStrictEqual(current, pictures)) return true;
    pictures = current;
  }
  await services.db.postHtml.updateMany({ where: { postId: id }, data: { version: 0 } });
  return true;
}

/** Renders a committed post so that its author sees the HTML at once. Waits for at most `WAIT`. Networks take turns. */
export async function renderAfterCommit(ctx: Ctx, post: Source): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const rendering = renderPost(ctx, post, post.userId, ctx.origin).catch(() => false);
  await Promise.race([rendering, new Promise((done) => (timer = setTimeout(done, WAIT)))]);
  clearTimeout(timer);
}

/** The last author whose first text was rendered, the last outdated post, and which kind is next. */
export type RenderProgress = {
  author: string | null;
  outdated: OutdatedPost | null;
  isOutdatedNext: boolean;
};

export const startRendering = (): RenderProgress => ({ author: null, outdated: null, isOutdatedNext: false });

/**
 * Renders a batch of posts without HTML, and one of posts with HTML of an older renderer, in turns. Each goes on after the last,
 * also in the next call, since one text may take all of `time`: authors who keep writing such texts delay no others.
 * @returns whether more posts may be pending
 */
export async function renderPending(
  services: Services,
  progress = startRendering(),
  time = JOB_TIME,
): Promise<boolean> {
  const { queries, markdown } = services;
  const unrendered = await queries.unrenderedPosts(BATCH, progress.author);
  const outdated = await queries.outdatedHtml(markdown.version, BATCH, progress.outdated);
  const end = performance.now() + time;
  const kinds = progress.isOutdatedNext ? [outdated, unrendered] : [unrendered, outdated];
  const inTurns = Array.from({ length: BATCH }, (_, n) => kinds.flatMap((posts) => posts[n] ?? [])).flat();
  for (const post of inTurns) {
    const isOutdated = outdated.includes(post);
    if (!(await renderPost(services, post, `job ${post.id}`, JOBS))) return false;
    if (isOutdated) progress.outdated = post;
    else progress.author = post.userId;
    progress.isOutdatedNext = !isOutdated;
    if (performance.now() > end) return true;
  }
  if (outdated.length < BATCH) progress.outdated = null;
  return unrendered.length === BATCH || outdated.length === BATCH;
}

import type { Services } from "./context.ts";

/** Milliseconds for which a writer waits for the rendered text; it is finished behind the answer then. */
const WAIT = 2_000;
/** Posts that one run of the job renders. */
const BATCH = 20;

type Source = { id: string; description: string };

/**
 * Renders the text of a post and stores the HTML, unless the text has changed meanwhile.
 * @param owner at most one text of each is in the queue; with a second one nothing happens, and the job comes later
 * @returns whether the renderer took it
 */
export async function renderPost(
  services: Services,
  { id, description }: Source,
  owner: string,
): Promise<boolean> {
  const html = await services.markdown.render(description, owner);
  if (html === null) return false;
  const { version } = services.markdown;
  await services.writes.storeHtml({ postId: id, description, html, version });
  services.invalidate(`post:${id}`);
  return true;
}

/** After a post is committed: its writer should read it rendered, and never wait long for that. */
export async function renderSoon(services: Services, post: Source & { userId: string }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // What fails here, the job does again.
  const rendering = renderPost(services, post, post.userId).catch(() => false);
  await Promise.race([rendering, new Promise((done) => (timer = setTimeout(done, WAIT)))]);
  clearTimeout(timer);
}

/**
 * Renders posts that have no HTML, or that of an older renderer.
 * @returns whether there may be more
 */
export async function renderPending(services: Services): Promise<boolean> {
  const posts = await services.queries.outdatedHtml(services.markdown.version, BATCH);
  for (const post of posts) if (!(await renderPost(services, post, `job ${post.id}`))) return false;
  return posts.length === BATCH;
}

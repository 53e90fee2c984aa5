import { hasSessionEnded, isRecent } from "../domain/permissions.ts";
import type { GraphQLContext } from "./context.ts";
import { createLoaders } from "./loaders.ts";

type Context = Pick<GraphQLContext, "ctx" | "contexts" | "loaders">;

// The domain checks the session as well, but only where it writes: fields of other results would show private data.
/** Makes a document whose session ends while it waits or runs go on without a viewer. */
export async function removeEndedViewer(context: Context): Promise<void> {
  const { ctx, contexts } = context;
  if (!ctx.viewer || isRecent(ctx.viewer) || !(await hasSessionEnded(contexts.write(), ctx.viewer))) return;
  context.ctx = { ...ctx, viewer: null, session: "ended" };
  context.loaders = createLoaders(context.ctx);
}

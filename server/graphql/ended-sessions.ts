import { hasSessionEnded } from "../domain/permissions.ts";
import type { MutationContext } from "./context.ts";
import { createLoaders } from "./loaders.ts";

// The domain checks the session as well, but only where it writes: fields of other results would show private data.
/** Makes a document whose session ends while it runs go on without a viewer. */
export async function removeEndedViewer(context: MutationContext): Promise<void> {
  const { ctx } = context;
  if (!ctx.viewer || !(await hasSessionEnded(ctx, ctx.viewer))) return;
  context.ctx = { ...ctx, viewer: null, session: "ended" };
  context.loaders = createLoaders(context.ctx);
}

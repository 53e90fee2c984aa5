import type { OperationTypeNode } from "graphql";
import { hasSessionEnded, isRecent, unauthenticated } from "../domain/permissions.ts";
import { toBlogError } from "../errors.ts";
import type { GraphQLContext } from "./context.ts";
import { requestError, type OperationResult } from "./endpoint/errors.ts";
import { createLoaders } from "./loaders.ts";

type Context = Pick<GraphQLContext, "ctx" | "contexts" | "loaders">;

// The domain checks the session as well, but only where it writes: fields of other results would show private data.
/** Makes a document whose session ends meanwhile go on without a viewer. @returns whether it has ended since the last look */
export async function removeEndedViewer(context: Context): Promise<boolean> {
  const { ctx, contexts } = context;
  if (!ctx.viewer || isRecent(ctx.viewer)) return false;
  if (!(await hasSessionEnded(contexts.write(), ctx.viewer))) return false;
  context.ctx = { ...ctx, viewer: null, session: "ended" };
  context.loaders = createLoaders(context.ctx);
  return true;
}

/** A query may have waited after the last look, and read what was written since. A mutation may have ended the session itself. */
export async function refuseIfEnded(
  context: Context,
  type: `${OperationTypeNode}` | undefined,
  result: OperationResult,
): Promise<OperationResult> {
  if (type !== "query" || !context.ctx.viewer) return result;
  const refusal = await removeEndedViewer(context).then(
    (hasEnded) => (hasEnded ? unauthenticated("invalid token") : null),
    toBlogError,
  );
  return refusal ? { data: null, errors: [requestError(refusal)] } : result;
}

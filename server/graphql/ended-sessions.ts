import { isObjectType, type GraphQLSchema } from "graphql";
import { hasSessionEnded } from "../domain/permissions.ts";
import type { MutationContext } from "./context.ts";
import { createLoaders } from "./loaders.ts";

/**
 * Makes each mutation of a document check whether the session has ended meanwhile; from then on the document has no
 * viewer. The domain checks as well, but only where it writes for the viewer: the fields of other results would still
 * show private data.
 */
export function checkSessionsOfMutations(schema: GraphQLSchema): GraphQLSchema {
  const mutation = schema.getMutationType();
  for (const field of isObjectType(mutation) ? Object.values(mutation.getFields()) : []) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = async (source, args, context: MutationContext, info) => {
      await removeEndedViewer(context);
      return resolve(source, args, context, info);
    };
  }
  return schema;
}

async function removeEndedViewer(context: MutationContext): Promise<void> {
  const { ctx } = context;
  if (!ctx.viewer || !(await hasSessionEnded(ctx, ctx.viewer))) return;
  context.ctx = { ...ctx, viewer: null, session: "ended" };
  context.loaders = createLoaders(context.ctx);
}

import type { GraphQLSchema } from "graphql";
import type { MutationContext } from "./context.ts";
import { removeEndedViewer } from "./ended-sessions.ts";

/** Makes each mutation look at the session again, and its result wait for a permit, as a query of its cost does. */
export function wrapMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = async (source, args, context: MutationContext, info) => {
      const change = async () => {
        await removeEndedViewer(context);
        return resolve(source, args, context, info);
      };
      return context.queueResult ? context.queueResult(change) : change();
    };
  }
  return schema;
}

import { OperationTypeNode, type OperationDefinitionNode } from "graphql";
import type { Contexts, Ctx, ReadCtx } from "../domain/context.ts";
import { createLoaders, type Loaders } from "./loaders.ts";
import { createTimeSlicer, type NextSlice } from "../event-loop/time-slices.ts";

export type GraphQLContext = {
  ctx: ReadCtx;
  contexts: Contexts;
  loaders: Loaders;
  requestId?: string;
  /** Whether no cache may store the response, though a visitor may read it. Apollo copies its parent. */
  caching: { isPrivate: boolean };
  /** Releases the permits that the operation holds; the handler calls them at its end. */
  releases: (() => void)[];
  /** Makes a change, and then acquires the permit for reading its result. */
  queueResult?: <T>(change: () => Promise<T>) => Promise<T>;
  releaseValidation?: () => void;
  /** Waits for the turn of a long introspection, which blocks the event loop. @throws GraphQLError if the client has disconnected */
  beforeIntrospection?: () => Promise<void>;
  /** To be awaited before work that takes milliseconds and that a list repeats. */
  nextSlice: NextSlice;
};

export type MutationContext = GraphQLContext & { ctx: Ctx };

export function createGraphQLContext(contexts: Contexts, requestId?: string): GraphQLContext {
  const ctx = contexts.read();
  return {
    ctx,
    contexts,
    requestId,
    caching: { isPrivate: false },
    releases: [],
    nextSlice: createTimeSlicer(ctx.origin),
    loaders: createLoaders(ctx),
  };
}

/** Has to be called before a mutation runs. A query's context lacks the database at run time, too. */
export function allowWrites(context: GraphQLContext, { operation }: OperationDefinitionNode): void {
  if (operation === OperationTypeNode.MUTATION) context.ctx = context.contexts.write();
}

import type { Ctx } from "../domain/context.ts";
import { createLoaders, type Loaders } from "./loaders.ts";

/** What every resolver is given: the domain's context, and loaders that live as long as the request. */
export type GraphQLContext = {
  ctx: Ctx;
  loaders: Loaders;
  requestId?: string;
  /** What gives back the places that the operation holds while it runs. */
  leaves: (() => void)[];
  /** To be called once its document is parsed and validated. */
  understood?: () => void;
};

export const createGraphQLContext = (ctx: Ctx, requestId?: string): GraphQLContext => ({
  ctx,
  requestId,
  leaves: [],
  loaders: createLoaders(ctx),
});

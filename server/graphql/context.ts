import type { Ctx } from "../context.ts";
import { createLoaders, type Loaders } from "./loaders.ts";

/** What every resolver is given: the domain's context, and loaders that live as long as the request. */
export type GraphQLContext = { ctx: Ctx; loaders: Loaders };

export const createGraphQLContext = (ctx: Ctx): GraphQLContext => ({
  ctx,
  loaders: createLoaders(ctx),
});

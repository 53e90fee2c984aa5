import type { Ctx } from "../domain/context.ts";
import { createLoaders, type Loaders } from "./loaders.ts";

export type GraphQLContext = {
  ctx: Ctx;
  loaders: Loaders;
  requestId?: string;
  /** Releases the permits that the operation holds; the handler calls them at its end. */
  releases: (() => void)[];
  /** Releases the permit of validation, once the document is valid. */
  releaseValidation?: () => void;
};

export const createGraphQLContext = (ctx: Ctx, requestId?: string): GraphQLContext => ({
  ctx,
  requestId,
  releases: [],
  loaders: createLoaders(ctx),
});

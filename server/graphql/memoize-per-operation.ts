import type { GraphQLContext } from "./context.ts";

type Derive<T> = (context: GraphQLContext, text: string) => Promise<T>;

/** Computes something of a long text in a time slice, once for all aliases and repeated rows of an operation. */
export function memoizePerOperation<T>(compute: (text: string, context: GraphQLContext) => T): Derive<T> {
  const resultsOf = new WeakMap<GraphQLContext["loaders"], Map<string, Promise<T>>>();
  return (context, text) => {
    const results = resultsOf.get(context.loaders) ?? new Map<string, Promise<T>>();
    resultsOf.set(context.loaders, results);
    const result = results.get(text) ?? context.nextSlice().then(() => compute(text, context));
    results.set(text, result);
    return result;
  };
}

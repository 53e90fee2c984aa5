import type { GraphQLContext } from "./context.ts";

type Derive<T> = (context: GraphQLContext, postId: string, text: string) => Promise<T>;
type Results<T> = Map<string, Map<string, Promise<T>>>;

/**
 * Computes something of a long text of a post in a time slice, once for all aliases and repeated rows of an operation.
 * By post first: V8 hashes of long texts only the length, so that a map of many of one length compares them all.
 */
export function memoizePerOperation<T>(compute: (text: string, context: GraphQLContext) => T): Derive<T> {
  const resultsOf = new WeakMap<GraphQLContext["loaders"], Results<T>>();
  return (context, postId, text) => {
    const byPost = resultsOf.get(context.loaders) ?? (new Map() as Results<T>);
    resultsOf.set(context.loaders, byPost);
    const results = byPost.get(postId) ?? new Map<string, Promise<T>>();
    byPost.set(postId, results);
    const result = results.get(text) ?? context.nextSlice().then(() => compute(text, context));
    results.set(text, result);
    return result;
  };
}

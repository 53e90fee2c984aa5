import { ApolloClient, type ApolloLink, InMemoryCache, type FieldMergeFunction } from "@apollo/client";

type Nodes = { nodes: unknown[] };

/** What comes behind a cursor is added; anything else is the list anew. */
const mergePages: FieldMergeFunction<Nodes> = (existing, incoming, { args }) =>
  existing && args?.["after"]
    ? { ...existing, ...incoming, nodes: [...existing.nodes, ...incoming.nodes] }
    : { ...existing, ...incoming };

/** What tells one list of posts from another; `after` continues a list. */
const postListKeys = ["page", "first", "category", "author", "search", "sort"];

export const createCache = () =>
  new InMemoryCache({
    typePolicies: {
      Query: { fields: { posts: { keyArgs: postListKeys, merge: mergePages } } },
      Post: { fields: { comments: { keyArgs: [], merge: mergePages } } },
      Profile: { fields: { posts: { keyArgs: [], merge: mergePages } } },
      // Pictures belong to what shows them and have no identity of their own.
      Image: { keyFields: false },
    },
  });

/** Reads show what is known at once and ask again behind it, except right after the server rendered them. */
export const createClient = (link: ApolloLink, cache: InMemoryCache, ssrMode: boolean) =>
  new ApolloClient({
    link,
    cache,
    ssrMode,
    ssrForceFetchDelay: ssrMode ? 0 : 1_000,
    defaultOptions: { watchQuery: { fetchPolicy: "cache-and-network", nextFetchPolicy: "cache-first" } },
  });

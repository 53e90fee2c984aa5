import { ApolloClient, type ApolloLink, InMemoryCache, type FieldMergeFunction } from "@apollo/client";

type Nodes = { nodes: unknown[] };

/** A result fetched with `after` is appended; any other result replaces the list. */
const mergePages: FieldMergeFunction<Nodes> = (existing, incoming, { args }) =>
  existing && args?.["after"]
    ? { ...existing, ...incoming, nodes: [...existing.nodes, ...incoming.nodes] }
    : { ...existing, ...incoming };

/** The arguments that identify a list of posts; `after` only continues one. */
const postListKeys = ["page", "first", "category", "tag", "author", "search", "sort"];

/** `resultCaching` records what each field of a result depends on: more work than it saves on a page that is rendered once. */
export const createCache = (resultCaching = true) =>
  new InMemoryCache({
    resultCaching,
    possibleTypes: {
      SearchResult: ["Post", "Profile", "Category", "Tag"],
      Followable: ["Profile", "Category", "Tag"],
    },
    typePolicies: {
      Query: { fields: { posts: { keyArgs: postListKeys, merge: mergePages } } },
      Post: { fields: { comments: { keyArgs: [], merge: mergePages } } },
      Viewer: {
        fields: {
          bookmarks: { keyArgs: [], merge: mergePages },
          followed: { keyArgs: [], merge: mergePages },
          drafts: { keyArgs: [], merge: mergePages },
        },
      },
      Profile: { fields: { posts: { keyArgs: [], merge: mergePages } } },
      // An image has no id: it is stored inside the object that shows it, and documents select different fields.
      Image: { keyFields: false, merge: true },
    },
  });

/** Queries return cached data and refetch, except in the first second after server rendering. */
export const createClient = (link: ApolloLink, cache: InMemoryCache, ssrMode: boolean) =>
  new ApolloClient({
    link,
    cache,
    ssrMode,
    ssrForceFetchDelay: ssrMode ? 0 : 1_000,
    defaultOptions: { watchQuery: { fetchPolicy: "cache-and-network", nextFetchPolicy: "cache-first" } },
  });

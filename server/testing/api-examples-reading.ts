import type { Example } from "./api-examples.ts";
import { ids } from "./parity.ts";

export const reading: Example[] = [
  {
    title: "Save a post to read later",
    as: "noor",
    graphql: {
      query: "mutation ($id: ID!) {\n  bookmarkPost(id: $id) { id viewerHasBookmarked }\n}",
      variables: { id: ids.post },
    },
    rest: null,
  },
  {
    title: "Remove a saved post",
    as: "noor",
    graphql: {
      query: "mutation ($id: ID!) {\n  removeBookmark(id: $id) { id viewerHasBookmarked }\n}",
      variables: { id: ids.post },
    },
    rest: null,
  },
];

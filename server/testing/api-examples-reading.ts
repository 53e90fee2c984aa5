import type { Example } from "./api-examples.ts";
import { ids } from "./parity.ts";

export const readingExamples: Example[] = [
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
  {
    title: "Follow an author, a category or a tag",
    as: "noor",
    graphql: {
      query: "mutation ($id: ID!) {\n  follow(id: $id) { __typename id viewerIsFollowing }\n}",
      variables: { id: ids.maya },
    },
    rest: null,
  },
  {
    title: "Stop following",
    as: "noor",
    graphql: {
      query: "mutation ($id: ID!) {\n  unfollow(id: $id) { __typename id viewerIsFollowing }\n}",
      variables: { id: ids.maya },
    },
    rest: null,
  },
  {
    title: "Read the followed and the saved posts",
    as: "noor",
    graphql: {
      query:
        "{\n  viewer { followed(first: 10) { nodes { id title } } bookmarks(first: 10) { nodes { id title } } }\n}",
    },
    rest: null,
  },
];

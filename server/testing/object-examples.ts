import type { Example } from "./api-examples.ts";
import { ids } from "./parity.ts";

export const anyObject: Example[] = [
  {
    title: "Read the posts that changed after a time, in the order of the changes",
    graphql: {
      query:
        "query ($after: DateTime!) {\n  posts(updatedAfter: $after, orderBy: { field: UPDATED_AT, direction: ASC }, first: 100) { nodes { id title url descriptionText } pageInfo { hasNextPage } }\n}",
      variables: { after: "2020-01-01T00:00:00.000Z" },
    },
    rest: { method: "GET", path: "/posts?updatedAfter=2020-01-01T00:00:00.000Z&limit=100" },
  },
  {
    title: "Read the deletions since a time, to synchronize a copy",
    graphql: {
      query:
        "query ($since: DateTime!) {\n  deletions(since: $since, first: 100) { nodes { id type deletedAt } pageInfo { endCursor hasNextPage } }\n}",
      variables: { since: "2999-01-01T00:00:00.000Z" },
    },
    rest: { method: "GET", path: "/deletions?since=2999-01-01T00:00:00.000Z&limit=100" },
  },
  {
    title: "Read any object by its id",
    graphql: {
      query:
        "query ($id: ID!) {\n  node(id: $id) { id ... on Post { title } ... on Profile { username } }\n}",
      variables: { id: ids.post },
    },
    rest: null,
  },
  {
    title: "Read several objects by their ids",
    graphql: {
      query: "query ($ids: [ID!]!) {\n  nodes(ids: $ids) { __typename id }\n}",
      variables: { ids: [ids.post, ids.maya, ids.nobody] },
    },
    rest: null,
  },
];

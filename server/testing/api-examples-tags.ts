import type { Example } from "./api-examples.ts";
import { ids } from "./parity.ts";

export const tagExamples: Example[] = [
  {
    title: "Find tags by a part of their name, the most used first",
    graphql: {
      query: '{ tags(search: "sla", sort: "-postCount", first: 5) { nodes { id name postCount } } }',
    },
    rest: null,
  },
  {
    title: "Read the posts of a tag",
    graphql: {
      query:
        '{\n  tag(name: "slate") { id name postCount }\n  posts(tag: "slate", page: 1) { nodes { id title tags { name } } }\n}',
    },
    rest: null,
  },
  {
    title: "Tag a post of one's own; without `tags` its tags stay unchanged",
    as: "maya",
    graphql: {
      query:
        "mutation ($id: ID!, $input: PostChanges!) {\n  updatePost(id: $id, input: $input) { id tags { id name } updatedAt }\n}",
      variables: { id: ids.post, input: { tags: ["slate", "moss"] } },
    },
    rest: { method: "PUT", path: `/posts/${ids.post}`, body: { tags: ["slate", "moss"] } },
  },
  {
    title: "Rename a tag: admins",
    as: "ada",
    graphql: {
      query: "mutation ($id: ID!, $name: String!) { renameTag(id: $id, name: $name) { id name postCount } }",
      variables: { id: ids.slate, name: "Slates" },
    },
    rest: null,
  },
  {
    title: "Merge two tags: admins",
    as: "ada",
    graphql: {
      query:
        "mutation ($from: ID!, $into: ID!) { mergeTags(from: $from, into: $into) { id name postCount } }",
      variables: { from: ids.roofs, into: ids.slate },
    },
    rest: null,
  },
];

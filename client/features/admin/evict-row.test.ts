import { gql, InMemoryCache } from "@apollo/client";
import { expect, test } from "vitest";
import { evictRow } from "./evict-row.ts";

const page = gql`
  query ($page: Int, $search: String) {
    users(page: $page, search: $search) {
      nodes {
        id
        username
      }
      totalCount
    }
    usersCount
  }
`;

const user = (id: string) => ({ __typename: "User", id, username: `Person ${id}` });

test("a deleted row is removed from every cached list and subtracted from the counts", () => {
  const cache = new InMemoryCache();
  const users = (ids: string[], totalCount: number) => ({
    usersCount: 7,
    users: { __typename: "UserConnection", nodes: ids.map(user), totalCount },
  });
  cache.writeQuery({ query: page, variables: { page: 1 }, data: users(["a", "b", "c"], 7) });
  cache.writeQuery({ query: page, variables: { page: 1, search: "b" }, data: users(["b"], 1) });
  evictRow(cache, "User", "b");
  expect(cache.readQuery({ query: page, variables: { page: 1 } })).toEqual({
    ...users(["a", "c"], 6),
    usersCount: 6,
  });
  expect(cache.readQuery({ query: page, variables: { page: 1, search: "b" } })).toMatchObject({
    users: { nodes: [], totalCount: 0 },
  });
});

test("lists without a total count only lose the row", () => {
  const cache = new InMemoryCache();
  const query = gql`
    {
      posts {
        nodes {
          id
        }
        pages
      }
    }
  `;
  const nodes = ["a", "b"].map((id) => ({ __typename: "Post", id }));
  cache.writeQuery({ query, data: { posts: { __typename: "PostConnection", nodes, pages: 1 } } });
  evictRow(cache, "Post", "a");
  expect(cache.readQuery({ query })).toMatchObject({ posts: { nodes: [{ id: "b" }], pages: 1 } });
});

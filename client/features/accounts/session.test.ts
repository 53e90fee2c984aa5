// @vitest-environment jsdom
import { ApolloClient, ApolloLink, InMemoryCache } from "@apollo/client";
import { expect, test, vi } from "vitest";
import { endSession, expireSession, setUsername, startSession, watchSession } from "./session.ts";

const login = (id: string) => ({
  token: `token of ${id}`,
  viewer: { id, username: id, email: `${id}@example.org`, isAdmin: false, profilePhoto: { url: "/x" } },
});

test("each change of the session deletes what was read, and nothing else does", async () => {
  const deleted: string[] = [];
  vi.stubGlobal("caches", { delete: async (name: string) => void deleted.push(name) });
  watchSession(new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.empty() }));
  const changes = [
    () => startSession(login("maya") as never),
    () => startSession(login("noor") as never),
    expireSession,
    () => startSession(login("noor") as never),
    endSession,
  ];
  for (const change of changes) {
    deleted.length = 0;
    change();
    expect(deleted, change.toString()).toEqual(["blog-pages", "blog-pictures"]);
    change();
    expect(deleted).toHaveLength(2);
  }
  localStorage.setItem("explorer-token", "of the explorer's own sign-in");
  localStorage.setItem("graphiql:queries", '{"queries":[{"query":"mutation { saveDraft }"}]}');
  endSession();
  expect(localStorage.getItem("explorer-token")).toBeNull();
  await expect.poll(() => localStorage.getItem("graphiql:queries")).toBeNull();
  localStorage.setItem("explorer-token", "of another account's sign-in there");
  startSession(login("maya") as never);
  expect(localStorage.getItem("explorer-token")).toBeNull();
  deleted.length = 0;
  setUsername("Maya L.");
  expect(deleted).toEqual([]);
  vi.unstubAllGlobals();
});

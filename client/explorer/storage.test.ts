import { expect, test } from "vitest";
import { createStorage } from "./storage.ts";

/** A Storage whose keys are its own properties, as those of localStorage are. */
function fakeStorage(content: Record<string, string> = {}): Storage {
  return Object.assign(
    Object.create({
      getItem: (key: string) => content[key] ?? null,
      setItem: (key: string, text: string) => void (content[key] = text),
      removeItem: (key: string) => void Reflect.deleteProperty(content, key),
    }),
    content,
  ) as Storage;
}

const login = { query: "mutation LogIn { login }", variables: '{"input":{"password":"s3cret"}}' };
const harmless = { query: "{ postsCount }", variables: "" };

test("operations with a password are in neither the history nor the favourites", () => {
  const content = {};
  const storage = createStorage(fakeStorage(content));
  storage.setItem("graphiql:queries", JSON.stringify({ queries: [login, harmless] }));
  storage.setItem("graphiql:favorites", JSON.stringify({ favorites: [login] }));
  expect(storage.getItem("graphiql:queries")).toBe(JSON.stringify({ queries: [harmless] }));
  expect(storage.getItem("graphiql:favorites")).toBe('{"favorites":[]}');
});

test("a tab stays open without its password, and an editor's text that has one is not stored", () => {
  const storage = createStorage(fakeStorage());
  storage.setItem("graphiql:tabState", JSON.stringify({ tabs: [login], activeTabIndex: 0 }));
  expect(JSON.parse(storage.getItem("graphiql:tabState") ?? "")).toEqual({
    tabs: [{ query: null, variables: null }],
    activeTabIndex: 0,
  });
  storage.setItem("graphiql:variables", "{}");
  storage.setItem("graphiql:variables", login.variables);
  expect(storage.getItem("graphiql:variables")).toBeNull();
});

test("a password in a variable of another name is not stored", () => {
  const content: Record<string, string> = {};
  const storage = createStorage(fakeStorage(content));
  const query = "mutation ($p: String!) { updateProfile(id: 1, input: { password: $p }) { id } }";
  const variables = '{"p":"s3cret"}';
  storage.setItem("graphiql:tabState", JSON.stringify({ tabs: [{ query, variables }, harmless] }));
  storage.setItem("graphiql:variables", variables);
  storage.setItem("graphiql:query", query);
  expect(JSON.stringify(content)).not.toContain("s3cret");
  storage.setItem("graphiql:variables", variables);
  expect(JSON.stringify(content)).not.toContain("s3cret");
  storage.setItem("graphiql:query", harmless.query);
  storage.setItem("graphiql:variables", '{"id":1}');
  expect(content["graphiql:variables"]).toBe('{"id":1}');
});

test("passwords that an earlier release stored are removed", () => {
  const content = { "graphiql:variables": login.variables, other: "a password of somebody else" };
  createStorage(fakeStorage(content));
  expect(content).toEqual({ other: "a password of somebody else" });
});

test("R26B: headers of operations, which may hold a token, are not stored", () => {
  const storage = createStorage(fakeStorage());
  const operation = { ...harmless, headers: '{"authorization":"Bearer s3cret"}' };
  for (const [key, list] of [
    ["queries", "queries"],
    ["favorites", "favorites"],
    ["tabState", "tabs"],
  ] as const) {
    storage.setItem(`graphiql:${key}`, JSON.stringify({ [list]: [operation] }));
    expect(storage.getItem(`graphiql:${key}`)).toBe(JSON.stringify({ [list]: [harmless] }));
  }
});

import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Db } from "../../domain/ports.ts";
import { requestPasswordReset } from "../../domain/accounts/password-resets.ts";
import { finishDeferredWork } from "../../domain/deferred-work.ts";
import { bulkheadCounts } from "../../queue.ts";
import { callerOf, ctxOf, emailsTo, linkTo } from "../../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory } from "../../testing/factories.ts";
import { makePicture } from "../../testing/pictures.ts";

// R24B: a request from a flooded network waits seconds for each turn. With such a permit it would make everybody wait.
const WAITED_FOR = ["deletions", "hashing", "links", "post_writes"] as const;

/** The permits that were held while a statement waited for its turn, and how often there was one. */
const held = new Set<string>();
let turns = 0;

const observed = (db: Db): Db =>
  new Proxy(db, {
    get(target, name) {
      turns++;
      for (const permit of WAITED_FOR) if (bulkheadCounts[permit].running > 0) held.add(permit);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

let blog: TestApp;
const file = { name: "image", value: await makePicture(), filename: "wall.jpg" };
const content = { title: "On moss", description: "It grows where it is left.", category: "Craft" };
beforeAll(async () => {
  blog = await startTestApp();
  await createCategory(blog.db, "Craft");
  const { dbOf } = blog.services;
  blog.services.dbOf = (origin) => observed(dbOf(origin));
});
beforeEach(() => {
  held.clear();
  turns = 0;
});

test("accounts: registering, verifying, signing in, a new password", async () => {
  const call = callerOf(blog);
  const email = "rosa@example.com";
  await call("POST", "/auth/register", { username: "Rosa", email, password: PASSWORD });
  const verified = await call("GET", (await linkTo(blog, email, "verify")).api);
  await call("POST", "/auth/login", { email, password: "not the password" });
  const signedIn = await call("POST", "/auth/login", { email, password: PASSWORD });
  await call("POST", "/password/reset-password-link", { email });
  const { api } = await linkTo(blog, email, "reset");
  const changed = await call("POST", api, { password: "another long secret" });
  expect([verified.status, signedIn.status, changed.status]).toEqual([200, 200, 200]);
  expect(turns).toBeGreaterThan(10);
  expect([...held]).toEqual([]);
});

test("posts: creating, publishing a draft, changing, deleting; and the account", async () => {
  const { id, token } = await blog.signUp();
  const fields = Object.entries(content).map(([name, value]) => ({ name, value }));
  const created = await blog.restForm("POST", "/posts", token, [file, ...fields]);
  const changed = await blog.rest("PUT", `/posts/${created.body.id}`, token, { title: "On slate" });
  const run = async (query: string, variables: object) =>
    Object.values((await blog.gql(query, variables, token)).body.data)[0] as { id: string };
  const draft = await run("mutation ($id: ID!) { editPost(id: $id) { id } }", { id: created.body.id });
  const published = await run("mutation ($id: ID!) { publishDraft(id: $id, version: 1) { id } }", draft);
  expect([created.status, changed.status, published.id]).toEqual([201, 200, created.body.id]);
  const deleted = await blog.rest("DELETE", `/posts/${published.id}`, token);
  const ended = await blog.rest("DELETE", `/users/profile/${id}`, token);
  expect([deleted.status, ended.status]).toEqual([200, 200]);
  await finishDeferredWork();
  expect(turns).toBeGreaterThan(10);
  expect([...held]).toEqual([]);
});

test("a reset email waits for a connection once, with or without an account", async () => {
  const { email } = await blog.signUp();
  const unqueuedDb = observed(blog.services.db);
  const waits: number[] = [];
  for (const address of ["nobody@example.com", email]) {
    turns = 0;
    await requestPasswordReset(ctxOf(blog, { unqueuedDb }), { email: address });
    await finishDeferredWork();
    waits.push(turns);
  }
  expect(waits).toEqual([1, 1]);
  expect(await emailsTo(blog, email)).toHaveLength(1);
});

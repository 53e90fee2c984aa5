import { createConnection, type AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { statusOf } from "../errors.ts";
import * as account from "../testing/account-calls.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import {
  admins,
  author,
  authorAndAdmins,
  everybody,
  seedForAuthCases,
  users,
  type AuthCase,
  type Refusal,
  type Rule,
} from "../testing/auth-cases.ts";
import { operationOf } from "../testing/route-inventory.ts";
import * as calls from "../testing/parity-calls.ts";
import { sendInGraphql, sendInRest, ids, type ParityCall } from "../testing/parity.ts";
import { rows } from "../testing/permission-rows.ts";
import { snapshotOf } from "../testing/snapshots.ts";

// The first failing check counts: token, role, id format, existence, ownership, body.

let blog: TestApp;
let tokens: Record<AuthCase, string | null>;
let snapshot: string;
beforeAll(async () => {
  blog = await startTestApp();
  // Starts the encoder's process: an upload that takes half a second is counted although it is refused.
  await blog.services.media.save(Buffer.from("no picture"), "127.0.0.1").catch(() => undefined);
  tokens = await seedForAuthCases(blog);
  snapshot = await snapshotOf(blog);
});

type Guarded = {
  name: string;
  rule: Rule;
  /** The type that a "not found" message names. */
  noun?: string;
  /** The id of a row of Maya's. */
  own?: string;
  make: (id: string) => ParityCall;
  /** The error of an invalid body. */
  body?: string;
};

const notPicture = Buffer.from("no picture");
const short = '"title" length must be at least 2 characters long';
const empty = '"text" is not allowed to be empty';
const editPost = author("access denied, you are not allowed");

const guarded: Guarded[] = [
  {
    name: "createPost",
    rule: users,
    make: () => calls.createPost(undefined, Buffer.alloc(0)),
    body: "no image provided",
  },
  {
    ...{ name: "updatePost", rule: editPost, noun: "post", own: ids.post },
    ...{ make: (id) => calls.updatePost(id, { title: "x" }), body: short },
  },
  {
    ...{ name: "updatePostImage", rule: editPost, noun: "post", own: ids.post },
    ...{ make: (id) => calls.updatePostImage(id, notPicture), body: "Unsupported file format" },
  },
  { name: "likePost", rule: users, noun: "post", make: calls.likePost },
  { name: "unlikePost", rule: users, noun: "post", make: calls.unlikePost },
  {
    name: "deletePost",
    rule: authorAndAdmins("access denied, forbidden"),
    noun: "post",
    own: ids.post,
    make: calls.deletePost,
  },
  {
    ...{ name: "createComment", rule: users, noun: "post", own: ids.post },
    ...{ make: (id) => calls.createComment(id, " "), body: empty },
  },
  {
    ...{ name: "updateComment", noun: "comment", own: ids.comment },
    rule: author("access denied, only user himself can edit his comment"),
    ...{ make: (id) => calls.updateComment(id, " "), body: empty },
  },
  {
    ...{ name: "deleteComment", noun: "comment", own: ids.comment, make: calls.deleteComment },
    rule: authorAndAdmins("access denied, not allowed"),
  },
  {
    name: "createCategory",
    rule: admins,
    make: () => calls.createCategory(" "),
    body: '"title" is not allowed to be empty',
  },
  { name: "deleteCategory", rule: admins, noun: "category", make: calls.deleteCategory },
  {
    ...{ name: "updateProfile", rule: author("not allowed, only user himself"), noun: "user", own: ids.maya },
    ...{
      make: (id) => account.updateProfile(id, { username: "x" }),
      body: '"username" length must be at least 2 characters long',
    },
  },
  {
    name: "uploadProfilePhoto",
    rule: users,
    make: () => account.uploadProfilePhoto(notPicture),
    body: "Unsupported file format",
  },
  {
    ...{ name: "deleteProfile", noun: "user", own: ids.maya, make: account.deleteProfile },
    rule: authorAndAdmins("not allowed, only user himself or admin"),
  },
];

type Case = [name: string, bearer: AuthCase, call: ParityCall, refusal: Refusal];

/** Each call fixes the fault for which the one before it was refused. */
const cases: Case[] = guarded.flatMap(({ name, rule, noun, own, make, body }) => {
  const steps: [string, AuthCase, string, Refusal | undefined][] = [
    ["the missing token", "visitor", ids.malformed, rule.visitor],
    ["the bad token", "garbage", ids.malformed, rule.garbage],
  ];
  const isForAdmins = rule.author?.code === "FORBIDDEN";
  if (isForAdmins) steps.push(["the role", "author", ids.malformed, rule.author]);
  const stranger = isForAdmins ? "admin" : "other";
  if (noun) {
    steps.push([
      "the malformed id",
      stranger,
      ids.malformed,
      { code: "BAD_USER_INPUT", message: "invalid id" },
    ]);
    steps.push([
      "the missing row",
      stranger,
      ids.nobody,
      { code: "NOT_FOUND", message: `${noun} not found` },
    ]);
  }
  if (own) steps.push(["the owner", "other", own, rule.other]);
  if (own && rule.admin) steps.push(["the owner, to an admin", "admin", own, rule.admin]);
  if (body) {
    const code = body.startsWith("Unsupported") ? "UNSUPPORTED_MEDIA_TYPE" : "BAD_USER_INPUT";
    steps.push(["the body", isForAdmins ? "admin" : "author", own ?? ids.malformed, { code, message: body }]);
  }
  return steps.flatMap(([fault, bearer, id, refusal]): Case[] =>
    refusal ? [[`${name}: ${fault}`, bearer, make(id), refusal]] : [],
  );
});

test.each(cases)("%s (%s)", async (_name, bearer, { graphql, rest }, { code, message }) => {
  const inRest = await sendInRest(blog, rest, tokens[bearer]);
  expect(inRest).toMatchObject({ status: statusOf[code], body: { code, message } });
  const { body } = await sendInGraphql(blog, graphql, tokens[bearer]);
  expect(body).toMatchObject({ data: null, errors: [{ message, extensions: { code } }] });
  expect(await snapshotOf(blog)).toBe(snapshot);
});

test("the table covers every guarded mutation that both APIs have", () => {
  const changes = rows.flatMap(([rule, graphql, rest]) =>
    rule !== everybody && rest && graphql?.query.startsWith("mutation") ? [operationOf(graphql.query)] : [],
  );
  const listed = guarded.map(({ make }) => operationOf(make(ids.post).graphql.query));
  const left = changes.filter((name) => !listed.includes(name));
  expect(changes.length).toBeGreaterThan(14);
  expect(left).toEqual([]);
});

describe("an unreadable body is reported last, too", () => {
  const bodies: [kind: string, type: string, payload: string, status: number][] = [
    ["invalid JSON", "application/json", "{", 400],
    ["another type", "text/plain", "title=x", 415],
    ["a form", "multipart/form-data; boundary=x", "--x--\r\n", 415],
    ["too large", "application/json", `"${"x".repeat(200_000)}"`, 413],
    ["an unknown key", "application/json", '{"isAdmin":true}', 400],
  ];
  const put = (path: string, type: string, payload: string, token: string | null) =>
    blog.app.inject({
      ...{ method: "PUT", url: `/api${path}`, payload },
      headers: { "content-type": type, ...(token && { authorization: `Bearer ${token}` }) },
    });

  test.each(bodies)("%s", async (_kind, type, payload, status) => {
    const responses = [];
    for (const [bearer, path] of [
      ["visitor", "/comments/12-34"],
      ["garbage", "/comments/12-34"],
      ["other", "/comments/12-34"],
      ["other", `/comments/${ids.nobody}`],
      ["other", `/comments/${ids.comment}`],
      ["author", `/comments/${ids.comment}`],
    ] as const)
      responses.push((await put(path, type, payload, tokens[bearer])).statusCode);
    expect(responses).toEqual([401, 401, 400, 404, 403, status]);
    expect(await snapshotOf(blog)).toBe(snapshot);
  });
});

describe("an upload is refused before its body arrives", () => {
  const { graphql } = calls.updatePostImage(ids.post);
  const part = (name: string, value: string, file = "") =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}`;
  const operations = JSON.stringify({ query: graphql.query, variables: graphql.variables });
  const file = `; filename="a.jpg"\r\nContent-Type: image/jpeg`;
  const forms = {
    graphql: `${part("operations", operations)}\r\n${part("map", '{"0":["variables.image"]}')}\r\n${part("0", "x", file)}`,
    rest: part("image", "x", file),
  };

  /** Sends only the beginning of a 5 MB form. */
  const responseTo = (start: string, body: string, token: string | null) =>
    new Promise<string>((resolve, reject) => {
      const { port } = blog.app.server.address() as AddressInfo;
      const socket = createConnection(port, "127.0.0.1");
      socket.setTimeout(1_000, () => reject(new Error("it waits for the rest")));
      socket.once("data", (response) => (resolve(String(response)), socket.destroy())).once("error", reject);
      const authorization = token ? `Authorization: Bearer ${token}\r\n` : "";
      socket.write(
        `${start} HTTP/1.1\r\nHost: blog\r\n${authorization}Apollo-Require-Preflight: 1\r\n` +
          `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000000\r\n\r\n${body}`,
      );
    });

  test.each(["visitor", "expired", "other", "admin"] as const)("of %s", async (bearer) => {
    if (!blog.app.server.listening) await blog.app.listen({ port: 0, host: "127.0.0.1" });
    const token = tokens[bearer];
    const code = bearer === "other" || bearer === "admin" ? "FORBIDDEN" : "UNAUTHENTICATED";
    const inRest = await responseTo(`PUT /api/posts/update-image/${ids.post}`, forms.rest, token);
    expect(inRest).toContain(`HTTP/1.1 ${statusOf[code]} `);
    expect(await responseTo("POST /graphql", forms.graphql, token)).toContain(`"code":"${code}"`);
    expect(await snapshotOf(blog)).toBe(snapshot);
  });
});

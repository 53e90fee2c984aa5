import { beforeAll, expect, test } from "vitest";
import * as calls from "../testing/parity-calls.ts";
import { ids, startAppPair, type ParityCall, type Who } from "../testing/parity.ts";

let pair: Awaited<ReturnType<typeof startAppPair>>;
beforeAll(async () => {
  pair = await startAppPair();
});

const expectRefusal = (call: ParityCall, refusal: calls.Refusal) => calls.expectRefusal(pair, call, refusal);

test.each<[string, Who, (id: string) => ParityCall, string]>([
  ["updating a post", "maya", calls.updatePost, "post"],
  ["changing a picture", "maya", calls.updatePostImage, "post"],
  ["liking", "maya", calls.likePost, "post"],
  ["unliking", "maya", calls.unlikePost, "post"],
  ["deleting a post", "maya", calls.deletePost, "post"],
  ["changing a comment", "maya", calls.updateComment, "comment"],
  ["deleting a comment", "maya", calls.deleteComment, "comment"],
  ["deleting a category", "ada", calls.deleteCategory, "category"],
])("%s refuses malformed and unknown ids", async (_name, as, call, noun) => {
  await expectRefusal({ ...call(ids.malformed), as }, { code: "BAD_USER_INPUT", message: "invalid id" });
  await expectRefusal({ ...call(ids.nobody), as }, { code: "NOT_FOUND", message: `${noun} not found` });
});

test("a comment on a missing post is refused", () =>
  expectRefusal(
    { ...calls.createComment(ids.nobody), as: "maya" },
    { code: "NOT_FOUND", message: "post not found" },
  ));

test("reading a post by a malformed id is refused", () =>
  expectRefusal(calls.readPost(ids.malformed), { code: "BAD_USER_INPUT", message: "invalid id" }));

test("a missing post is null in GraphQL and 404 in REST", async () => {
  const { graphql, rest } = await pair.call(calls.readPost(ids.nobody));
  expect(graphql.body).toEqual({ data: { post: null } });
  expect(rest).toEqual({ status: 404, body: { message: "post not found", code: "NOT_FOUND" } });
});

const short = {
  title: '"title" length must be at least 2 characters long',
  description: '"description" length must be at least 10 characters long',
};
const noCategory = '"category" must be an existing category';

test.each<[string, Who | undefined, ParityCall, calls.Refusal]>([
  [
    "too short a text in a new post",
    "maya",
    calls.createPost({ ...calls.input, title: "x", description: " short " }),
    { code: "BAD_USER_INPUT", message: short.title, fields: short },
  ],
  [
    "too short a text in an edit",
    "maya",
    calls.updatePost(ids.post, { title: " x ", description: "short" }),
    { code: "BAD_USER_INPUT", message: short.title, fields: short },
  ],
  [
    "a NUL in a comment",
    "maya",
    calls.createComment(ids.post, "a\0b"),
    {
      code: "BAD_USER_INPUT",
      message: '"text" contains invalid characters',
      fields: { text: '"text" contains invalid characters' },
    },
  ],
  [
    "too long a comment",
    "maya",
    calls.updateComment(ids.comment, "x".repeat(2_001)),
    {
      code: "BAD_USER_INPUT",
      message: '"text" length must be less than or equal to 2000 characters long',
      fields: { text: '"text" length must be less than or equal to 2000 characters long' },
    },
  ],
  [
    "a category's title in other letters",
    "ada",
    calls.createCategory("CRAFT"),
    { code: "CONFLICT", message: "category already exist" },
  ],
  [
    "a text for a picture",
    "maya",
    calls.createPost(calls.input, Buffer.from("not a picture")),
    { code: "UNSUPPORTED_MEDIA_TYPE", message: "Unsupported file format" },
  ],
  [
    "a picture too large",
    "maya",
    calls.createPost(calls.input, Buffer.alloc(11 * 1024 * 1024)),
    { code: "PAYLOAD_TOO_LARGE", message: "File too large" },
  ],
  [
    "a wrong password",
    undefined,
    calls.login("maya@example.com", "not the one"),
    { code: "BAD_USER_INPUT", message: "invalid email or password" },
  ],
  [
    "an unknown address",
    undefined,
    calls.login("nobody@example.com", "not the one"),
    { code: "BAD_USER_INPUT", message: "invalid email or password" },
  ],
  [
    "an account not verified",
    undefined,
    calls.login("una@example.com", "a long enough secret"),
    { code: "BAD_USER_INPUT", message: "We sent to you an email, please verify your email address" },
  ],
])("%s is refused with the same error", (_name, as, call, refusal) =>
  expectRefusal({ ...call, ...(as && { as }) }, refusal),
);

test.each([
  calls.createPost({ ...calls.input, category: "Nowhere" }),
  calls.updatePost(ids.post, { category: "Nowhere" }),
])("an unknown category is refused with the same error", async (call) => {
  const { graphql, rest } = await pair.call({ ...call, as: "maya" });
  expect(graphql.body.errors[0]).toMatchObject({
    message: noCategory,
    extensions: { code: "BAD_USER_INPUT" },
  });
  expect(rest).toMatchObject({ status: 400, body: { message: noCategory } });
  expect(graphql.body.errors[0].extensions.fields).toEqual(rest.body.fields);
});

import { beforeAll, describe, test } from "vitest";
import * as calls from "../testing/parity-calls.ts";
import { ids, startTwins, type Call, type Who } from "../testing/parity.ts";

let twins: Awaited<ReturnType<typeof startTwins>>;
beforeAll(async () => {
  twins = await startTwins();
});

const expectRefusal = (call: Call, refusal: calls.Refusal) => calls.expectRefusal(twins, call, refusal);

/** Every call that wants a token, on things that exist. */
const guarded: [string, Call][] = [
  ["creating a post", calls.createPost()],
  ["updating a post", calls.updatePost(ids.post)],
  ["changing a picture", calls.updatePostImage(ids.post)],
  ["liking", calls.likePost(ids.post)],
  ["unliking", calls.unlikePost(ids.liked)],
  ["deleting a post", calls.deletePost(ids.post)],
  ["commenting", calls.createComment(ids.post)],
  ["changing a comment", calls.updateComment(ids.comment)],
  ["deleting a comment", calls.deleteComment(ids.comment)],
  ["reading all comments", calls.adminComments],
  ["creating a category", calls.createCategory("Places")],
  ["deleting a category", calls.deleteCategory(ids.craft)],
];

describe.each(guarded)("%s is refused", (_name, call) => {
  test("without a token", () =>
    expectRefusal(call, { code: "UNAUTHENTICATED", message: "no token provided, access denied" }));

  test.each(["bad", "expired"] as const)("with a token that is %s", (as) =>
    expectRefusal({ ...call, as }, { code: "UNAUTHENTICATED", message: "invalid token, access denied" }),
  );
});

const edit = "access denied, you are not allowed";
const comment = "access denied, only user himself can edit his comment";

test.each<[string, Who, Call, string]>([
  ["updating another's post", "noor", calls.updatePost(ids.post, { title: "Mine now" }), edit],
  ["updating another's post as admin", "ada", calls.updatePost(ids.post, { title: "Mine now" }), edit],
  ["changing another's picture", "noor", calls.updatePostImage(ids.post), edit],
  ["changing another's picture as admin", "ada", calls.updatePostImage(ids.post), edit],
  ["deleting another's post", "noor", calls.deletePost(ids.post), "access denied, forbidden"],
  ["changing another's comment", "noor", calls.updateComment(ids.comment), comment],
  ["changing another's comment as admin", "ada", calls.updateComment(ids.comment), comment],
  [
    "deleting another's comment below one's own post",
    "maya",
    calls.deleteComment(ids.noorsComment),
    "access denied, not allowed",
  ],
  ["reading all comments", "maya", calls.adminComments, "not allowed, only admin"],
  ["creating a category", "maya", calls.createCategory("Places"), "not allowed, only admin"],
  ["deleting a category", "maya", calls.deleteCategory(ids.craft), "not allowed, only admin"],
  [
    "deleting a category of a malformed id",
    "maya",
    calls.deleteCategory(ids.malformed),
    "not allowed, only admin",
  ],
])("%s is forbidden to %s", (_name, as, call, message) =>
  expectRefusal({ ...call, as }, { code: "FORBIDDEN", message }),
);

import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let postId: string;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp();
  postId = (await createPost(blog.db, { userId: maya.id })).id;
});

/** 150 kB as JSON. */
const description = "字".repeat(50_000);
const update = "mutation ($id: ID!, $input: PostChanges!) { updatePost(id: $id, input: $input) { id } }";

describe("50 000 characters of any script", () => {
  test("are accepted in REST and in GraphQL", async () => {
    const inRest = await blog.rest("PUT", `/posts/${postId}`, maya.token, { description });
    expect([inRest.status, inRest.body.description]).toEqual([200, description]);
    const { body } = await blog.gql(update, { id: postId, input: { description } }, maya.token);
    expect(body).toEqual({ data: { updatePost: { id: postId } } });
  });

  test("are not read for a visitor", async () => {
    const inRest = await blog.rest("PUT", `/posts/${postId}`, null, { description });
    expect(inRest.status).toBe(401);
    const { status, body } = await blog.gql(update, { id: postId, input: { description } });
    expect([status, body.errors[0].extensions.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test("are too large for any other route", async () => {
    const inRest = await blog.rest("POST", "/comments", maya.token, { postId, text: description });
    expect(inRest.status).toBe(413);
    const login = await blog.rest("POST", "/auth/login", null, { email: description, password: "x" });
    expect([login.status, login.body.message]).toEqual([413, "the body is too large"]);
  });
});

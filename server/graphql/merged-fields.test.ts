import { beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { createPost } from "../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
beforeAll(async () => {
  blog = await startTestApp();
  maya = await blog.signUp({ username: "Maya" });
  await blog.db.user.update({ where: { id: maya.id }, data: { bio: "Bakes bread." } });
  await createPost(blog.db, { userId: maya.id, description: "A text that is long enough." });
});

test("B3: a fragment's field that one of two spreads merges with another field is complete in both", async () => {
  const query = `query ($id: ID!) {
      a: profile(id: $id) { ...F }
      b: profile(id: $id) { ...F posts(first: 1) { nodes { description user { bio } } } }
    }
    fragment F on Profile { posts(first: 1) { nodes { user { id } } } }`;
  for (let time = 0; time < 4; time++) {
    const { body } = await blog.gql(query, { id: maya.id });
    expect(body.errors).toBeUndefined();
    expect(body.data.a.posts.nodes).toEqual([{ user: { id: maya.id } }]);
    const whole = { description: "A text that is long enough.", user: { id: maya.id, bio: "Bakes bread." } };
    expect(body.data.b.posts.nodes).toEqual([whole]);
  }
});

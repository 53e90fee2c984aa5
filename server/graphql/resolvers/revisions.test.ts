import { beforeAll, describe, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createPost } from "../../testing/factories.ts";

let blog: TestApp;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
let noor: typeof maya;
beforeAll(async () => {
  blog = await startTestApp();
  [maya, noor] = [await blog.signUp(), await blog.signUp()];
  await createCategory(blog.db, "Craft");
});

const call = (query: string, token: string | null = maya.token) => blog.call(query, {}, token);

const content = { title: "On moss", description: "It grows where it is left alone.", category: "Craft" };

describe("the revisions of a post", () => {
  test("are the states before, for its author and admins, who alone can restore one", async () => {
    const post = await createPost(blog.db, { ...content, userId: maya.id });
    const admin = await blog.signUp({ isAdmin: true });
    const rename = (title: string) =>
      call(`mutation { updatePost(id: "${post.id}", input: { title: "${title}" }) { id } }`);
    await rename("Two");
    await rename("Three");
    await rename("Three");
    const query = `{ post(id: "${post.id}") { revisions(first: 5) {
      totalCount nodes { id title category editor { id } } } } }`;
    for (const token of [maya.token, admin.token]) {
      const { revisions } = await call(query, token);
      expect(revisions.totalCount).toBe(2);
      expect(revisions.nodes.map((each: any) => each.title)).toEqual(["Two", "On moss"]);
      expect(revisions.nodes[0].editor).toEqual({ id: maya.id });
    }
    expect((await call(query, null)).extensions.code).toBe("UNAUTHENTICATED");
    expect((await call(query, noor.token)).extensions.code).toBe("FORBIDDEN");
    const [, first] = (await call(query)).revisions.nodes;
    const restore = (token: string) =>
      call(`mutation { restoreRevision(id: "${first.id}") { title category } }`, token);
    for (const { token } of [noor, admin]) expect((await restore(token)).extensions.code).toBe("FORBIDDEN");
    expect(await restore(maya.token)).toEqual({ title: "On moss", category: "Craft" });
    expect((await call(query)).revisions.nodes[0].title).toBe("Three");
  });

  test("are read without their texts unless these are selected", async () => {
    const post = await createPost(blog.db, { ...content, userId: maya.id });
    await call(`mutation { updatePost(id: "${post.id}", input: { title: "Two" }) { id } }`);
    const read = vi.spyOn(blog.services.queries, "revisions");
    const textOf = async (field: string) => {
      const { revisions } = await call(`{ post(id: "${post.id}") { revisions { nodes { ${field} } } } }`);
      const [row] = await read.mock.results.at(-1)!.value;
      return [revisions.nodes[0], row.description];
    };
    expect(await textOf("title")).toEqual([{ title: content.title }, undefined]);
    const { description } = content;
    expect(await textOf("description")).toEqual([{ description }, description]);
    read.mockRestore();
  });
});

test("a post keeps its newest 200 revisions", async () => {
  const { id } = await createPost(blog.db, { ...content, userId: maya.id });
  for (let n = 0; n <= 201; n++) await blog.db.post.update({ where: { id }, data: { title: `Title ${n}` } });
  const revisions = await blog.db.revision.findMany({ where: { postId: id }, orderBy: { createdAt: "asc" } });
  expect(revisions).toHaveLength(200);
  expect(revisions.map(({ title }) => title)).not.toContain("Title 0");
  expect(revisions.map(({ title }) => title)).toContain("Title 200");
});

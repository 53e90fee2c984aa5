import { expect, test } from "vitest";
import { startTestApp } from "../testing/app.ts";
import { createCategory, createComment, createPost, createTag } from "../testing/factories.ts";
import { openPlans } from "./compiled/plans.ts";
import { buildBlogSchema } from "./schema.ts";

const fragments = `__typename ... on Post { id title url user { username } tags { name } descriptionHtml }
  ... on Profile { id username bio url } ... on Category { id title postCount viewerIsFollowing }
  ... on Tag { id name postCount }`;
const search = `query ($query: String!) { search(query: $query) { edges { title { text } node { ${fragments} } } }
  names: search(query: "maya") { edges { cursor node { ${fragments} } } } }`;
const nodes = `query ($ids: [ID!]!) { nodes(ids: $ids) { id ${fragments} ... on Comment { text } } }`;

test("compiled operations return objects of interfaces and unions as interpreted ones do, and run once", async () => {
  const failures: unknown[] = [];
  const plans = openPlans(buildBlogSchema(), {
    schedule: (work) => (work(), true),
    reportFault: (error) => failures.push(error),
  });
  const blog = await startTestApp({ plans });
  const maya = await blog.signUp({ username: "Maya" });
  const category = await createCategory(blog.db, "Craft");
  const post = await createPost(blog.db, { userId: maya.id, title: "A craft", category: "Craft" });
  const comment = await createComment(blog.db, { postId: post.id, userId: maya.id });
  const tag = await createTag(blog.db, { name: "Maya's craft" }, [post.id]);
  const ids = [post, maya, comment, category, tag].map(({ id }) => id);
  for (const [query, variables, types] of [
    [search, { query: "craft" }, ["Category", "Post", "Profile", "Tag"]],
    [nodes, { ids }, ["Category", "Comment", "Post", "Profile", "Tag"]],
  ] as const) {
    const read = async () => JSON.stringify((await blog.gql(query, variables, maya.token)).body);
    const interpreted = await read();
    const names = [...interpreted.matchAll(/"__typename":"(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(names)].sort()).toEqual(types);
    for (let n = 0; n < 2; n++) expect(await read()).toBe(interpreted);
  }
  expect(failures).toEqual([]);
});

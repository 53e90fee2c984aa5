import { beforeAll, describe, expect, test } from "vitest";
import { PASSWORD } from "../testing/app.ts";
import { ids, startAppPair, type ParityCall } from "../testing/parity.ts";
import { makePicture } from "../testing/pictures.ts";

let pair: Awaited<ReturnType<typeof startAppPair>>;
const picture = await makePicture();
beforeAll(async () => {
  pair = await startAppPair();
});

const author = "{ _id: id id username profilePhoto { url } }";
const fields = "_id: id id title description category tags { name } image { url } likes createdAt updatedAt";
const post = `{ ${fields} user ${author} }`;
const changedPost = `{ ${fields} user { id } }`;
const comment = "{ _id: id post { id } user { id } username text createdAt updatedAt }";
const fullPost = `{ ${fields} user ${author} comments(first: 100) { nodes ${comment} } }`;

/** Converts GraphQL results to REST's shape: nested authors to ids, connections to lists. */
const withUserId = ({ user, ...changed }: any) => ({ ...changed, user: user.id });
const asComment = ({ post: of, user, ...rest }: any) => ({ ...rest, postId: of.id, user: user.id });
const asFull = ({ comments, ...rest }: any) => ({ ...rest, comments: comments.nodes.map(asComment) });

const withTagNames = (response: unknown): unknown =>
  JSON.parse(
    JSON.stringify(response, (key, value) =>
      key === "tags" ? value.map(({ name }: { name: string }) => name) : value,
    ),
  );

type Row = ParityCall & { title: string; shape: (data: any) => any; status?: number; changes?: string[] };

const queries: Row[] = [
  {
    title: "a page of posts",
    graphql: { query: `{ posts(page: 2) { nodes ${post} } }` },
    rest: { method: "GET", path: "/posts?pageNumber=2" },
    shape: (data) => data.posts.nodes,
  },
  {
    title: "all posts",
    graphql: { query: `{ posts(first: 100) { nodes ${post} } }` },
    rest: { method: "GET", path: "/posts" },
    shape: (data) => data.posts.nodes,
  },
  {
    title: "the posts of a category",
    graphql: { query: `{ posts(first: 100, category: "Craft") { nodes ${post} } }` },
    rest: { method: "GET", path: "/posts?category=Craft" },
    shape: (data) => data.posts.nodes,
  },
  {
    title: "a page after the last one",
    graphql: { query: `{ posts(page: 9) { nodes ${post} } }` },
    rest: { method: "GET", path: "/posts?pageNumber=9" },
    shape: (data) => data.posts.nodes,
  },
  {
    title: "one post with its comments",
    graphql: { query: `{ post(id: "${ids.post}") ${fullPost} }` },
    rest: { method: "GET", path: `/posts/${ids.post}` },
    shape: (data) => asFull(data.post),
  },
  {
    title: "one post, with the token of an ended session",
    as: "expired",
    graphql: { query: `{ post(id: "${ids.liked}") ${fullPost} }` },
    rest: { method: "GET", path: `/posts/${ids.liked}` },
    shape: (data) => asFull(data.post),
  },
  {
    title: "the number of posts",
    graphql: { query: "{ postsCount }" },
    rest: { method: "GET", path: "/posts/count" },
    shape: (data) => data.postsCount,
  },
  {
    title: "the categories",
    graphql: { query: "{ categories { _id: id title } }" },
    rest: { method: "GET", path: "/categories" },
    shape: (data) => data.categories,
  },
  {
    title: "everybody's comments for an admin",
    as: "ada",
    graphql: {
      query: `{ comments(first: 100) { nodes { _id: id text username createdAt updatedAt
        user { _id: id id username bio email createdAt profilePhoto { url } } } } }`,
    },
    rest: { method: "GET", path: "/comments" },
    shape: (data) => data.comments.nodes,
  },
];

const input = { title: " On slate ", description: "It splits where it was laid down.", category: "craft" };
const form = Object.entries(input).map(([name, value]) => ({ name, value }));
const image = { name: "image", value: picture, filename: "slate.jpg" };

const postWrites: Row[] = [
  {
    title: "creating a post",
    as: "maya",
    graphql: {
      query: `mutation ($input: PostInput!, $image: Upload!) { createPost(input: $input, image: $image) ${changedPost} }`,
      variables: { input, image: null },
      file: picture,
    },
    rest: { method: "POST", path: "/posts", form: [...form, image] },
    shape: (data) => withUserId(data.createPost),
    status: 201,
    changes: ["Post", "Picture", "files"],
  },
  {
    title: "updating a post",
    as: "maya",
    graphql: {
      query: `mutation ($input: PostChanges!) { updatePost(id: "${ids.post}", input: $input) ${fullPost} }`,
      variables: { input: { title: "Renamed", category: "FOOD" } },
    },
    rest: { method: "PUT", path: `/posts/${ids.post}`, body: { title: "Renamed", category: "FOOD" } },
    shape: (data) => asFull(data.updatePost),
    changes: ["Post", "Revision"],
  },
  {
    title: "creating a post with tags",
    as: "maya",
    graphql: {
      query: `mutation ($input: PostInput!, $image: Upload!) { createPost(input: $input, image: $image) ${changedPost} }`,
      variables: { input: { ...input, tags: ["#Moss ", "SLATE", "moss"] }, image: null },
      file: picture,
    },
    rest: {
      method: "POST",
      path: "/posts",
      form: [...form, image, { name: "tags", value: "#Moss , SLATE,moss" }],
    },
    shape: (data) => withUserId(data.createPost),
    status: 201,
    changes: ["Post", "Picture", "files", "Tag", "PostTag"],
  },
  {
    title: "giving a post other tags",
    as: "maya",
    graphql: {
      query: `mutation ($input: PostChanges!) { updatePost(id: "${ids.liked}", input: $input) ${fullPost} }`,
      variables: { input: { tags: ["Moss", "roofs"] } },
    },
    rest: { method: "PUT", path: `/posts/${ids.liked}`, body: { tags: ["Moss", "roofs"] } },
    shape: (data) => asFull(data.updatePost),
    changes: ["Post", "Tag", "PostTag"],
  },
  {
    title: "keeping the title of a deleted category",
    as: "noor",
    graphql: {
      query: `mutation ($input: PostChanges!) { updatePost(id: "${ids.old}", input: $input) ${fullPost} }`,
      variables: { input: { title: "Kept", category: "Gone" } },
    },
    rest: { method: "PUT", path: `/posts/${ids.old}`, body: { title: "Kept", category: "Gone" } },
    shape: (data) => asFull(data.updatePost),
    changes: ["Post", "Revision"],
  },
  {
    title: "changing a post's picture",
    as: "maya",
    graphql: {
      query: `mutation ($image: Upload!) { updatePostImage(id: "${ids.post}", image: $image) ${changedPost} }`,
      variables: { image: null },
      file: picture,
    },
    rest: { method: "PUT", path: `/posts/update-image/${ids.post}`, form: [image] },
    shape: (data) => withUserId(data.updatePostImage),
    changes: ["Post", "Picture", "files"],
  },
  {
    title: "liking by likePost and by a toggle",
    as: "maya",
    graphql: { query: `mutation { likePost(id: "${ids.noors}") ${changedPost} }` },
    rest: { method: "PUT", path: `/posts/like/${ids.noors}` },
    shape: (data) => withUserId(data.likePost),
    changes: ["Like"],
  },
  {
    title: "removing a like by unlikePost and by a toggle",
    as: "maya",
    graphql: { query: `mutation { unlikePost(id: "${ids.liked}") ${changedPost} }` },
    rest: { method: "PUT", path: `/posts/like/${ids.liked}`, body: {} },
    shape: (data) => withUserId(data.unlikePost),
    changes: ["Like"],
  },
  ...(["maya", "ada"] as const).map((as) => ({
    title: `deleting a post with its comments, likes and picture, as ${as}`,
    as,
    graphql: { query: `mutation { deletePost(id: "${ids.liked}") { postId: id message } }` },
    rest: { method: "DELETE", path: `/posts/${ids.liked}` },
    shape: (data: any) => data.deletePost,
    changes: ["Post", "Picture", "Like", "Comment", "Revision", "PostTag", "files"],
  })),
];

const otherWrites: Row[] = [
  {
    title: "signing in",
    graphql: {
      query: `mutation ($input: LoginInput!) { login(input: $input) { token viewer {
        _id: id username email isAdmin profilePhoto { url } } } }`,
      variables: { input: { email: " MAYA@example.com ", password: PASSWORD } },
    },
    rest: { method: "POST", path: "/auth/login", body: { email: " MAYA@example.com ", password: PASSWORD } },
    shape: ({ login }) => ({ ...login.viewer, token: login.token }),
    changes: ["Session"],
  },
  {
    title: "commenting",
    as: "noor",
    graphql: { query: `mutation { createComment(postId: "${ids.liked}", text: " Yes. ") ${comment} }` },
    rest: { method: "POST", path: "/comments", body: { postId: ids.liked, text: " Yes. " } },
    shape: (data) => asComment(data.createComment),
    status: 201,
    changes: ["Comment"],
  },
  {
    title: "changing a comment",
    as: "maya",
    graphql: { query: `mutation { updateComment(id: "${ids.comment}", text: "Better said") ${comment} }` },
    rest: { method: "PUT", path: `/comments/${ids.comment}`, body: { text: "Better said" } },
    shape: (data) => asComment(data.updateComment),
    changes: ["Comment"],
  },
  ...(["noor", "ada"] as const).map((as) => ({
    title: `deleting a comment, as ${as}`,
    as,
    graphql: { query: `mutation { deleteComment(id: "${ids.noorsComment}") { message } }` },
    rest: { method: "DELETE", path: `/comments/${ids.noorsComment}` },
    shape: (data: any) => data.deleteComment,
    changes: ["Comment"],
  })),
  {
    title: "creating a category",
    as: "ada",
    graphql: { query: `mutation { createCategory(title: " Places ") { _id: id title } }` },
    rest: { method: "POST", path: "/categories", body: { title: " Places " } },
    shape: (data) => data.createCategory,
    status: 201,
    changes: ["Category"],
  },
  {
    title: "deleting a category, but not its posts",
    as: "ada",
    graphql: { query: `mutation { deleteCategory(id: "${ids.craft}") { categoryId: id message } }` },
    rest: { method: "DELETE", path: `/categories/${ids.craft}` },
    shape: (data) => data.deleteCategory,
    changes: ["Category"],
  },
];

describe("GraphQL and REST give the same response and cause the same changes:", () => {
  test.each([...queries, ...postWrites, ...otherWrites])(
    "$title",
    async ({ shape, status, changes, ...call }) => {
      const { graphql, rest, before, after } = await pair.call(call);
      expect(graphql.body.errors).toBeUndefined();
      expect(rest.status).toBe(status ?? 200);
      // Wrapped for bare numbers. REST may return more fields than GraphQL selects.
      expect({ response: rest.body }).toMatchObject({ response: withTagNames(shape(graphql.body.data)) });
      expect(after.graphql).toEqual(after.rest);
      const changed = Object.keys(before).filter(
        (part) => JSON.stringify(before[part]) !== JSON.stringify(after.rest[part]),
      );
      expect(changed.sort()).toEqual([...(changes ?? [])].sort());
    },
  );
});

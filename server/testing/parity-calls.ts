import { expect } from "vitest";
import { statusOf, type ErrorCode } from "../errors.ts";
import type { ParityCall, startAppPair } from "./parity.ts";
import { makePicture } from "./pictures.ts";

const picture = await makePicture();

type AppPair = Awaited<ReturnType<typeof startAppPair>>;
export type Refusal = { code: ErrorCode; message: string; fields?: Record<string, string> };

/** Expects both APIs to refuse with the same message, code and fields, and to change nothing. */
export async function expectRefusal(pair: AppPair, call: ParityCall, { code, message, fields }: Refusal) {
  const { graphql, rest, before, after } = await pair.call(call);
  expect(graphql.body.errors).toHaveLength(1);
  const [error] = graphql.body.errors;
  expect({ message: error.message, ...error.extensions }).toEqual({ message, code, fields });
  expect(rest).toEqual({ status: statusOf[code], body: { message, code, fields } });
  expect(after.graphql).toEqual(before);
  expect(after.rest).toEqual(before);
}

export const input = {
  title: "On slate",
  description: "It splits where it was laid down.",
  category: "Craft",
};
const partsOf = (values: object) => Object.entries(values).map(([name, value]) => ({ name, value }));
const fileOf = (value: Buffer) => ({ name: "image", value, filename: "slate.jpg" });

export const createPost = (values: object = input, file = picture): ParityCall => ({
  graphql: {
    query:
      "mutation ($input: PostInput!, $image: Upload!) { createPost(input: $input, image: $image) { id } }",
    variables: { input: values, image: null },
    file,
  },
  rest: { method: "POST", path: "/posts", form: [...partsOf(values), fileOf(file)] },
});

export const searchSite = (query: string): ParityCall["graphql"] => ({
  query: `query ($query: String!) {
  search(query: $query, first: 2) {
    totalCount isTotalExact
    edges { title { text isMatch } excerpt { text isMatch } node { ... on Post { id } ... on Profile { id } } }
  }
}`,
  variables: { query },
});

export const updatePost = (id: string, changes: object = {}): ParityCall => ({
  graphql: {
    query: "mutation ($id: ID!, $input: PostChanges!) { updatePost(id: $id, input: $input) { id } }",
    variables: { id, input: changes },
  },
  rest: { method: "PUT", path: `/posts/${id}`, body: changes },
});

export const updatePostImage = (id: string, file = picture): ParityCall => ({
  graphql: {
    query: "mutation ($id: ID!, $image: Upload!) { updatePostImage(id: $id, image: $image) { id } }",
    variables: { id, image: null },
    file,
  },
  rest: { method: "PUT", path: `/posts/update-image/${id}`, form: [fileOf(file)] },
});

export const uploadPicture = (alt: string, file = picture): ParityCall["graphql"] => ({
  query:
    "mutation ($image: Upload!, $alt: String!) { uploadPicture(image: $image, alt: $alt) { id alt markdown } }",
  variables: { image: null, alt },
  file,
});

const verb =
  (name: string, method: string, path: string) =>
  (id: string): ParityCall => ({
    graphql: { query: `mutation ($id: ID!) { ${name}(id: $id) { id } }`, variables: { id } },
    rest: { method, path: `${path}/${id}` },
  });
export const likePost = verb("likePost", "PUT", "/posts/like");
export const unlikePost = verb("unlikePost", "PUT", "/posts/like");
export const deletePost = verb("deletePost", "DELETE", "/posts");
export const deleteComment = verb("deleteComment", "DELETE", "/comments");
export const deleteCategory = verb("deleteCategory", "DELETE", "/categories");

export const createComment = (postId: string, text = "Yes."): ParityCall => ({
  graphql: {
    query: "mutation ($postId: ID!, $text: String!) { createComment(postId: $postId, text: $text) { id } }",
    variables: { postId, text },
  },
  rest: { method: "POST", path: "/comments", body: { postId, text } },
});

export const updateComment = (id: string, text = "Better said"): ParityCall => ({
  graphql: {
    query: "mutation ($id: ID!, $text: String!) { updateComment(id: $id, text: $text) { id } }",
    variables: { id, text },
  },
  rest: { method: "PUT", path: `/comments/${id}`, body: { text } },
});

export const createCategory = (title: string): ParityCall => ({
  graphql: {
    query: "mutation ($title: String!) { createCategory(title: $title) { id } }",
    variables: { title },
  },
  rest: { method: "POST", path: "/categories", body: { title } },
});

export const adminComments: ParityCall = {
  graphql: { query: "{ comments { nodes { id } } }" },
  rest: { method: "GET", path: "/comments" },
};

export const readPost = (id: string): ParityCall => ({
  graphql: { query: "query ($id: ID!) { post(id: $id) { id } }", variables: { id } },
  rest: { method: "GET", path: `/posts/${id}` },
});

export const login = (email: string, password: string): ParityCall => ({
  graphql: {
    query: "mutation ($input: LoginInput!) { login(input: $input) { token } }",
    variables: { input: { email, password } },
  },
  rest: { method: "POST", path: "/auth/login", body: { email, password } },
});

/** Searches that find posts, authors and categories, filter, and find by likeness. @param post its selection */
export const searches = (post: string): { query: string }[] =>
  ["Title 0", "author:author -missing", "Psot"].map((query) => ({
    query: `{ search(query: "${query}", first: 50) { totalCount edges { title { text } excerpt { text }
      node { ... on Post ${post} ... on Profile { id bio } ... on Category { id postCount } } } } }`,
  }));

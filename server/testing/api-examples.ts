import * as accountCalls from "./account-calls.ts";
import { links } from "./account-pair.ts";
import { PASSWORD } from "./app.ts";
import * as calls from "./parity-calls.ts";
import { anyObject } from "./object-examples.ts";
import { readingExamples } from "./api-examples-reading.ts";
import { ids, type ParityCall } from "./parity.ts";

/** A feature with its request in both APIs. `rest` is null if only GraphQL has it. */
export type Example = {
  title: string;
  graphql: ParityCall["graphql"];
  rest: ParityCall["rest"] | null;
  as?: ParityCall["as"];
};
export const post = "id title category image { url } user { id username } likeCount createdAt";
const person = "id username bio createdAt profilePhoto { url }";
const get = (path: string) => ({ method: "GET", path });
const by = (as: Example["as"], title: string, { graphql, rest }: ParityCall): Example => ({
  title,
  graphql,
  rest,
  as,
});
const asAnybody = (title: string, call: ParityCall): Example => ({ title, ...call });

export const accounts: Example[] = [
  asAnybody(
    "Open an account",
    accountCalls.register({ username: "Ines", email: "ines@example.com", password: PASSWORD }),
  ),
  asAnybody(
    "Verify the address by the link in the email",
    accountCalls.verifyEmail(ids.unverified, links.verify),
  ),
  {
    title: "Sign in",
    graphql: {
      query:
        "mutation ($input: LoginInput!) {\n  login(input: $input) { token viewer { id username email isAdmin profilePhoto { url } } }\n}",
      variables: { input: { email: "maya@example.com", password: PASSWORD } },
    },
    rest: calls.login("maya@example.com", PASSWORD).rest,
  },
  {
    title: "Who is signed in",
    as: "maya",
    graphql: { query: "{ viewer { id username email isAdmin } }" },
    rest: null,
  },
  { title: "Sign out", as: "maya", graphql: { query: "mutation { logout { message } }" }, rest: null },
  {
    title: "Sign out in one browser",
    as: "maya",
    graphql: {
      query: "mutation ($id: ID!) { endSession(id: $id) { id message } }",
      variables: { id: ids.session },
    },
    rest: null,
  },
  {
    title: "Sign out everywhere",
    as: "maya",
    graphql: { query: "mutation { logoutEverywhere { message } }" },
    rest: null,
  },
  asAnybody("Have a link mailed for a new password", accountCalls.requestPasswordReset("maya@example.com")),
  asAnybody("Ask whether that link is still good", accountCalls.checkResetLink(ids.maya, links.reset)),
  asAnybody("Set the new password", accountCalls.resetPassword(ids.maya, links.reset, "another long secret")),
  {
    title: "Read a profile",
    graphql: {
      query: `query ($id: ID!) {\n  profile(id: $id) { ${person} posts(first: 3) { nodes { id title } } }\n}`,
      variables: { id: ids.maya },
    },
    rest: get(`/users/profile/${ids.maya}`),
  },
  {
    title: "Change one's own profile",
    as: "maya",
    graphql: {
      query: `mutation ($id: ID!, $input: ProfileChanges!) {\n  updateProfile(id: $id, input: $input) { ${person} }\n}`,
      variables: { id: ids.maya, input: { bio: "I write about slate." } },
    },
    rest: { method: "PUT", path: `/users/profile/${ids.maya}`, body: { bio: "I write about slate." } },
  },
  by("maya", "Give oneself a photo", accountCalls.uploadProfilePhoto()),
  by("maya", "Delete an account: its owner or an admin", accountCalls.deleteProfile(ids.maya)),
  {
    title: "List all accounts: admins",
    as: "ada",
    graphql: {
      query: "{ users(page: 1) { totalCount pages nodes { id username email isAdmin createdAt } } }",
    },
    rest: get("/users/profile"),
  },
  by("ada", "Count all accounts: admins", accountCalls.countUsers),
  {
    title: "Read the outbox of a blog without a mail server: admins",
    as: "ada",
    graphql: { query: "{ letters(first: 3) { nodes { id recipient subject createdAt sentAt } } }" },
    rest: null,
  },
  {
    title: "Read the daily statistics: admins",
    as: "ada",
    graphql: { query: "{ dailyCounts(days: 2) { users posts categories comments } }" },
    rest: null,
  },
];

export const contents: Example[] = [
  {
    title: "Read a page of posts",
    graphql: { query: `{\n  posts(page: 2) { totalCount pages nodes { ${post} } }\n}` },
    rest: get("/posts?pageNumber=2"),
  },
  {
    title: "Read the posts of a category",
    graphql: { query: `{\n  posts(first: 100, category: "Craft") { nodes { ${post} } }\n}` },
    rest: get("/posts?category=Craft"),
  },
  ...anyObject,
  { title: "Count the posts", graphql: { query: "{ postsCount }" }, rest: get("/posts/count") },
  {
    title: "Read a post with its comments",
    graphql: {
      query: `query ($id: ID!) {\n  post(id: $id) { ${post} description comments(first: 100) { nodes { id text username createdAt } } }\n}`,
      variables: { id: ids.post },
    },
    rest: get(`/posts/${ids.post}`),
  },
  { title: "Count the categories", graphql: { query: "{ categoriesCount }" }, rest: null },
  {
    title: "Find posts by the beginnings of their words, and sort them",
    graphql: {
      query: '{ posts(search: "slate", sort: "-title", page: 1) { totalCount nodes { id title } } }',
    },
    rest: null,
  },
  { title: "Search the site", graphql: calls.searchSite("slate author:maya"), rest: null },
  by("maya", "Write a post", calls.createPost()),
  by("maya", "Change a post of one's own", calls.updatePost(ids.post, { title: "On slate" })),
  by("maya", "Give a post of one's own another picture", calls.updatePostImage(ids.post)),
  by("maya", "Like a post (in REST: like it, or take the like back)", calls.likePost(ids.post)),
  by("maya", "Take a like back", calls.unlikePost(ids.liked)),
  ...readingExamples,
  by("maya", "Like a post, however often it is requested", {
    ...calls.likePost(ids.post),
    rest: { method: "PUT", path: `/posts/${ids.post}/likes/me` },
  }),
  by("maya", "Take a like back, however often it is requested", {
    ...calls.unlikePost(ids.liked),
    rest: { method: "DELETE", path: `/posts/${ids.liked}/likes/me` },
  }),
  by("maya", "Delete a post: its author or an admin", calls.deletePost(ids.post)),
  by("maya", "Comment on a post", calls.createComment(ids.post, "Well said.")),
  by("maya", "Change a comment of one's own", calls.updateComment(ids.comment)),
  by("maya", "Delete a comment: its author or an admin", calls.deleteComment(ids.comment)),
  {
    title: "Read everybody's comments: admins",
    as: "ada",
    graphql: {
      query: "{ comments(page: 1) { totalCount nodes { id text post { id title } user { id username } } } }",
    },
    rest: get("/comments"),
  },
  {
    title: "List the categories",
    graphql: { query: "{ categories { id title postCount } }" },
    rest: get("/categories"),
  },
  {
    title: "List the categories page by page",
    graphql: {
      query: "{ categoryConnection(first: 2) { nodes { id title } pageInfo { endCursor hasNextPage } } }",
    },
    rest: null,
  },
  by("ada", "Create a category: admins", calls.createCategory("Places")),
  by("ada", "Delete a category: admins", calls.deleteCategory(ids.craft)),
];

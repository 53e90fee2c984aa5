import { readFileSync } from "node:fs";
import { buildSchema } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { finishDeferredWork } from "../domain/deferred-work.ts";
import { issueToken } from "../domain/accounts/email-tokens.ts";
import { ctxOf } from "../testing/accounts.ts";
import { PASSWORD, startTestApp, type TestApp } from "../testing/app.ts";
import { createLike } from "../testing/factories.ts";
import { encodeForm } from "../testing/forms.ts";
import { seed, ids, tokens } from "../testing/parity.ts";
import { makePicture } from "../testing/pictures.ts";
import { startProcess, type Process } from "../testing/processes.ts";
import {
  expectUncachedResponses,
  warmCache,
  publicRequests,
  uncachedResponse,
} from "../testing/public-responses.ts";

let blog: TestApp;
let process: Process;
const picture = await makePicture();
beforeAll(async () => {
  blog = await startTestApp();
  process = await startProcess(blog);
});

type MutationCase = {
  query: string;
  as?: keyof typeof tokens;
  prepare?: () => Promise<Record<string, unknown>>;
  file?: boolean;
  /** Whether it changes a public response. */
  shows: boolean;
};

const link = (purpose: "VERIFY" | "RESET", userId: string) => async () => ({
  link: await issueToken(ctxOf(blog), blog.db, purpose, userId),
});
const input = `{ title: "New", description: "Long enough to be read.", category: "Craft" }`;

const mutations: Record<string, MutationCase> = {
  createCategory: { as: "ada", query: `mutation { createCategory(title: "Places") { id } }`, shows: true },
  createComment: {
    as: "noor",
    query: `mutation { createComment(postId: "${ids.liked}", text: "Yes.") { id } }`,
    shows: true,
  },
  createPreviewLink: {
    as: "maya",
    query: `mutation { createPreviewLink(draftId: "${ids.draft}") { id } }`,
    shows: false,
  },
  createPost: {
    as: "noor",
    file: true,
    query: `mutation ($image: Upload!) { createPost(input: ${input}, image: $image) { id } }`,
    shows: true,
  },
  deleteCategory: { as: "ada", query: `mutation { deleteCategory(id: "${ids.craft}") { id } }`, shows: true },
  deleteComment: {
    as: "ada",
    query: `mutation { deleteComment(id: "${ids.noorsComment}") { id } }`,
    shows: true,
  },
  deleteDraft: { as: "maya", query: `mutation { deleteDraft(id: "${ids.draft}") { id } }`, shows: false },
  deletePost: { as: "ada", query: `mutation { deletePost(id: "${ids.liked}") { id } }`, shows: true },
  deleteProfile: { as: "ada", query: `mutation { deleteProfile(id: "${ids.noor}") { id } }`, shows: true },
  editPost: { as: "maya", query: `mutation { editPost(id: "${ids.liked}") { id } }`, shows: false },
  bookmarkPost: {
    as: "ada",
    query: `mutation { bookmarkPost(id: "${ids.liked}") { id } }`,
    shows: false,
  },
  removeBookmark: {
    as: "ada",
    query: `mutation { removeBookmark(id: "${ids.liked}") { id } }`,
    shows: false,
  },
  follow: { as: "ada", query: `mutation { follow(id: "${ids.maya}") { id } }`, shows: false },
  unfollow: { as: "ada", query: `mutation { unfollow(id: "${ids.maya}") { id } }`, shows: false },
  likePost: {
    as: "ada",
    query: `mutation { likePost(id: "${ids.liked}") { id } }`,
    shows: true,
  },
  login: {
    query: `mutation { login(input: { email: "maya@example.com", password: "${PASSWORD}" }) { token } }`,
    shows: false,
  },
  logout: { as: "noor", query: `mutation { logout { message } }`, shows: false },
  endSession: { as: "maya", query: `mutation { endSession(id: "${ids.session}") { id } }`, shows: false },
  logoutEverywhere: { as: "noor", query: `mutation { logoutEverywhere { message } }`, shows: false },
  mergeTags: {
    as: "ada",
    query: `mutation { mergeTags(from: "${ids.roofs}", into: "${ids.slate}") { id } }`,
    shows: true,
  },
  renameTag: {
    as: "ada",
    query: `mutation { renameTag(id: "${ids.slate}", name: "Moss") { id } }`,
    shows: true,
  },
  publishDraft: {
    as: "maya",
    query: `mutation { publishDraft(id: "${ids.draft}", version: 1) { id } }`,
    shows: true,
  },
  register: {
    query: `mutation { register(input: { username: "Zoe", email: "zoe@example.com", password: "${PASSWORD}" }) { message } }`,
    shows: false,
  },
  requestPasswordReset: {
    query: `mutation { requestPasswordReset(email: "maya@example.com") { message } }`,
    shows: false,
  },
  resetPassword: {
    query: `mutation ($link: String!) { resetPassword(userId: "${ids.maya}", token: $link, password: "another long secret") { message } }`,
    prepare: link("RESET", ids.maya),
    // REST shows when the account was updated.
    shows: true,
  },
  restoreRevision: {
    as: "maya",
    query: `mutation { restoreRevision(id: "${ids.revision}") { id } }`,
    shows: true,
  },
  revokePreviewLink: {
    as: "maya",
    query: `mutation { revokePreviewLink(draftId: "${ids.draft}") { id } }`,
    shows: false,
  },
  scheduleDraft: {
    as: "maya",
    query: `mutation { scheduleDraft(id: "${ids.draft}", version: 1, publishAt: "2999-01-01T00:00:00Z") { id } }`,
    shows: false,
  },
  saveDraft: {
    as: "maya",
    query: `mutation { saveDraft(id: "${ids.draft}", version: 1, input: ${input}) { id } }`,
    shows: false,
  },
  unlikePost: { as: "noor", query: `mutation { unlikePost(id: "${ids.liked}") { id } }`, shows: true },
  updateComment: {
    as: "noor",
    query: `mutation { updateComment(id: "${ids.noorsComment}", text: "Better said") { id } }`,
    shows: true,
  },
  updatePictureAlt: {
    as: "maya",
    query: `mutation { updatePictureAlt(id: "${ids.picture}", alt: "A roof") { id } }`,
    shows: false,
  },
  updatePost: {
    as: "maya",
    query: `mutation { updatePost(id: "${ids.liked}", input: { title: "Anew", category: "Craft" }) { id } }`,
    shows: true,
  },
  updatePostImage: {
    as: "maya",
    file: true,
    query: `mutation ($image: Upload!) { updatePostImage(id: "${ids.liked}", image: $image) { id } }`,
    shows: true,
  },
  updateProfile: {
    as: "maya",
    query: `mutation { updateProfile(id: "${ids.maya}", input: { username: "Maja", bio: "Else." }) { id } }`,
    shows: true,
  },
  uploadPicture: {
    as: "maya",
    file: true,
    query: `mutation ($image: Upload!) { uploadPicture(image: $image, alt: "A wall") { id } }`,
    shows: false,
  },
  uploadProfilePhoto: {
    as: "maya",
    file: true,
    query: `mutation ($image: Upload!) { uploadProfilePhoto(image: $image) { id } }`,
    shows: true,
  },
  verifyEmail: {
    query: `mutation ($link: String!) { verifyEmail(userId: "${ids.unverified}", token: $link) { message } }`,
    prepare: link("VERIFY", ids.unverified),
    shows: false,
  },
};

test("the table has a row for each mutation", () => {
  const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
  expect(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort()).toEqual(
    Object.keys(mutations).sort(),
  );
});

/** Executes the mutation in the process with the response cache. */
async function perform({ query, as, file, prepare }: MutationCase) {
  const variables = { ...(await prepare?.()), ...(file && { image: null }) };
  const authorization = as ? { authorization: `Bearer ${tokens[as]}` } : {};
  const { payload, headers } = file
    ? encodeForm([
        { name: "operations", value: JSON.stringify({ query, variables }) },
        { name: "map", value: JSON.stringify({ 0: ["variables.image"] }) },
        { name: "0", value: picture, filename: "picture.jpg" },
      ])
    : { payload: { query, variables }, headers: {} };
  const response = await process.app.inject({
    method: "POST",
    url: "/graphql",
    payload,
    headers: { ...authorization, ...headers, "apollo-require-preflight": "true" },
  });
  return response.json<{ data: unknown; errors?: unknown }>();
}

describe("every cached public response is up to date immediately after", () => {
  test.each(Object.entries(mutations))("%s", async (_name, mutation) => {
    await seed(blog);
    // A second post of the category; its liker's name is not public, but the like's deletion is visible.
    await createLike(blog.db, { postId: ids.post, userId: ids.noor });
    const requests = publicRequests({ post: ids.liked, user: ids.maya, category: "Craft" });
    const before: string[] = [];
    for (const request of requests) before.push((await uncachedResponse(blog, request)).text);
    await warmCache(process, requests);
    const { errors } = await perform(mutation);
    // Related posts are computed after the response.
    await finishDeferredWork();
    expect(errors).toBeUndefined();
    const different = await expectUncachedResponses(process, blog, requests, before);
    expect(different > 0).toBe(mutation.shows);
  });
});
